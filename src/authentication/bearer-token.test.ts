import { expect, it } from 'vitest';
import { bearerOf, readBearer } from './bearer-token.ts';

it.each([
  [undefined, undefined],
  ['', undefined],
  ['Bearer', undefined],
  ['Bearer ', undefined],
  ['Bearer a', 'a'],
  ['  bEaReR a  ', 'a'],
  ['Bearer a b', 'a'],
  ['Bearer a b c', 'a'],
  ['Bearer a,Bearer b', 'a,Bearer'],
  ['Bearer\ta', undefined],
  ['Basic Zm9vOmJhcg==', undefined],
  ['Basic !!', undefined],
  ['a', undefined],
])('the token of %j', (header, token) => expect(readBearer(header)).toEqual({ token, misplaced: false }));

it('a token after two blanks is ignored, with a warning', () => {
  expect(readBearer('Bearer  a')).toEqual({ token: undefined, misplaced: true });
});

it('a connection that shows the same header again presents the same object', () => {
  const [one, other] = [{}, {}];
  const shown = (connection: object, authorization: string | undefined) =>
    bearerOf({ connection, header: () => authorization });
  const first = shown(one, 'Bearer a');
  expect(first).toEqual({ presented: { token: 'a', audiences: [] }, misplaced: false });
  expect(shown(one, 'Bearer a')).toBe(first);
  expect(shown(other, 'Bearer a')).not.toBe(first);
  expect(shown(one, 'Bearer b').presented?.token).toBe('b');
  expect(shown(one, undefined).presented).toBeUndefined();
  expect(shown(one, 'Bearer a').presented?.token).toBe('a');
});
