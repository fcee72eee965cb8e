import { expect, it } from 'vitest';
import { readProtocols } from './websocket-protocols.ts';

const bearer = (token: string): string =>
  `base64url.bearer.authorization.k8s.io.${Buffer.from(token, 'latin1').toString('base64url')}`;

it.each([
  ['nothing', undefined, [], undefined],
  ['protocols', 'a, b', ['a', 'b'], undefined],
  ['a token and a protocol', `${bearer('secret')}, a`, ['a'], 'secret'],
  ['a token alone', bearer('secret'), [], '!'],
  ['two tokens', `${bearer('x')}, ${bearer('y')}, a`, ['a'], '!'],
  ['a token that is no base64', 'base64url.bearer.authorization.k8s.io.a+b, a', ['a'], '!'],
  ['a token that is no text', `${bearer('\xff\xfe')}, a`, ['a'], '!'],
  ['an empty token', `${bearer('')}, a`, ['a'], undefined],
])('an offer of %s', (_, header, protocols, token) => {
  expect(readProtocols(header)).toEqual({ protocols, token });
});
