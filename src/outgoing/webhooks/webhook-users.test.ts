import { expect, test } from 'vitest';
import { namesFor } from './webhook-users.ts';

test('names of users for a server, the best one first', () => {
  expect([...namesFor('a.ns.svc:443')]).toEqual([
    'a.ns.svc:443',
    '*.ns.svc:443',
    '*.svc:443',
    'a.ns.svc',
    '*.ns.svc',
    '*.svc',
    '*',
  ]);
  expect([...namesFor('localhost:8443')]).toEqual(['localhost:8443', '*']);
});
