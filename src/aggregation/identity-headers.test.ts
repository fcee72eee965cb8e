import { expect, test } from 'vitest';
import { identityHeaders } from './identity-headers.ts';

const user = { name: 'dora', uid: 'u-1', groups: ['a', 'b'], extra: { 'acme.com/scope é%': ['x', 'y'], plain: ['z'] } };

test('a user is told in headers, keys escaped as client-go does', () => {
  expect([...identityHeaders(user, { withUid: true })]).toEqual([
    ['x-remote-user', ['dora']],
    ['x-remote-uid', ['u-1']],
    ['x-remote-group', ['a', 'b']],
    ['x-remote-extra-acme.com%2Fscope%20%C3%A9%25', ['x', 'y']],
    ['x-remote-extra-plain', ['z']],
  ]);
});

test('a uid is told only where it may be, and if there is one', () => {
  const names = (withUid: boolean, uid: string): string[] => [...identityHeaders({ ...user, uid }, { withUid }).keys()];
  expect(names(false, 'u-1')).not.toContain('x-remote-uid');
  expect(names(true, '')).not.toContain('x-remote-uid');
});
