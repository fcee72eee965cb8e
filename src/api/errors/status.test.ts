import { expect, test } from 'vitest';
import { lacksNamespace, StatusError } from './status.ts';
import { notFound } from './status-errors.ts';

const terminating = new StatusError({
  code: 403,
  reason: 'Forbidden',
  message: 'unable to create new content in namespace team because it is being terminated',
  details: { causes: [{ reason: 'NamespaceTerminating', message: 'namespace team is being terminated' }] },
});

test.each([
  { title: 'going', error: terminating, lacks: true },
  { title: 'gone', error: notFound({ group: '', resource: 'namespaces' }, 'team'), lacks: true },
  {
    title: 'there, but not the object',
    error: notFound({ group: '', resource: 'configmaps' }, 'settings'),
    lacks: false,
  },
  { title: 'there, and the server fails', error: new Error('no'), lacks: false },
])('whether a namespace is $title', ({ error, lacks }) => {
  expect(lacksNamespace(error)).toBe(lacks);
});
