import { expect, it } from 'vitest';
import { readBearer } from './bearer-token.ts';

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
