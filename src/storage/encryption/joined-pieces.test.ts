import { expect, test } from 'vitest';
import { joinedPieces } from './joined-pieces.ts';
import { withOwn } from './transformer.ts';

const alone = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

test.each([
  ['first', 0],
  ['in the middle', 1],
  ['last', 2],
])('the piece whose memory is used may be the one that comes %s', (_, at) => {
  const pieces = ['one ', 'and another ', '!'].map(alone);
  const own = pieces[at] ?? alone('');
  const joined = joinedPieces(withOwn(pieces, own));
  expect(joined.toString()).toBe('one and another !');
  expect(joined.buffer.byteLength).toBe(joined.length);
  expect(pieces.map(({ length }) => length > 0)).toEqual(pieces.map((piece) => piece !== own));
});

test('memory that has more than the piece is left to whom it belongs', () => {
  const shared = Buffer.from('of somebody else');
  const own = shared.subarray(0, 2);
  const joined = joinedPieces(withOwn([own, alone('!')], own));
  expect([joined.toString(), shared.toString()]).toEqual(['of!', 'of somebody else']);
});

test('pieces without such a one are copied', () => {
  const pieces = ['a', 'b'].map(alone);
  expect(joinedPieces(pieces).toString()).toBe('ab');
  expect(pieces.map(({ length }) => length)).toEqual([1, 1]);
});
