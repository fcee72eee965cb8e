import { expect, test } from 'vitest';
import { stageTable } from './stages.ts';

test('a request goes through the stages in this order', () => {
  expect(stageTable.map(({ name }) => name)).toEqual([
    'request-info',
    'http-log',
    'slow-requests',
    'drain',
    'large-requests',
    'goaway',
    'metrics',
    'audit-begin',
    'deadline',
    'cors',
    'authentication',
    'tracing',
    'audit',
    'impersonation',
    'flow-control',
    'authorization',
    'dispatch',
  ]);
});
