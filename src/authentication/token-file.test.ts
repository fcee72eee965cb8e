import { expect, test } from 'vitest';
import type { Identity } from '../api/contracts/authentication.ts';
import { tokenFileAuthenticator } from './token-file.ts';

function whoHas(token: string, file: string): string {
  const { user } = (tokenFileAuthenticator(file).authenticate({ token, audiences: [] }) as Identity | undefined) ?? {};
  return user === undefined ? 'nobody' : [user.name, user.uid, ...user.groups].join('|');
}

// As kube-apiserver's reader takes them.
test.each([
  ['t', 't,u,i', 'u|i'],
  ['t', 't,u,i,"a,b"\n', 'u|i|a|b'],
  ['t', 't,u,i,a,b\n', 'u|i|a'],
  ['t', 't,u,i,\n', 'u|i|'],
  ['t', 't,u,i,"a,,b, c "\n', 'u|i|a||b| c '],
  [' t', ' t,u,i\n', 'u|i'],
  ['t', ' t,u,i\n', 'nobody'],
  ['t,x', '"t,x",u,i\n', 'u|i'],
  ['#t', '#t,u,i\n', 'u|i'],
  ['t', '\n\nx,v,j\n\nt,u,i\n', 'u|i'],
  ['x', 't,u,i\r\nx,v,j\r\n', 'v|j'],
  ['x', 't,u,i\rx,v,j', 'nobody'],
  ['t', 't,"u\r\nv",i\n', 'u\nv|i'],
  ['t', 't,"u""v",i\n', 'u"v|i'],
  ['t', ',u,i\nt,v,j\n', 'v|j'],
  ['t', 't,,\n', '|'],
  ['t', 't,u,i\nt,w,j\n', 'w|j'],
  ['t', '', 'nobody'],
])('the token %j of the file %j is that of %j', (token, file, who) => {
  expect(whoHas(token, file)).toBe(who);
});

test.each([
  ['t,u\n', 'token file line 1: wants at least 3 columns'],
  ['t,u,i\n\n# comment\n', 'token file line 3: wants at least 3 columns'],
  ['   \n', 'token file line 1: wants at least 3 columns'],
  ['t,"u\n,i"\nx\n', 'token file line 1: wants at least 3 columns'],
  ['t,u"v,i\n', 'token file line 1: bare or unclosed quote'],
  ['t,u,i\nt,"u"v,i\n', 'token file line 2: bare or unclosed quote'],
  ['t,"u,i\n', 'token file line 1: bare or unclosed quote'],
  ['t, "u",i\n', 'token file line 1: bare or unclosed quote'],
])('the file %j is refused', (file, problem) => {
  expect(() => tokenFileAuthenticator(file)).toThrow(problem);
});
