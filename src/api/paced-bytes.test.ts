import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { joinedBytes, sha512Of } from './paced-bytes.ts';
const sizes = [0, 1, 256 * 1024, 700_000];
const parts = sizes.map((size, index) => Buffer.alloc(size, `${index}?`));

it('joins parts of any size', () => {
  expect(joinedBytes(parts).equals(Buffer.concat(parts))).toBe(true);
});

it.each(parts)('hashes %#', (part) => {
  expect(sha512Of(part)).toBe(createHash('sha512').update(part).digest('hex').toUpperCase());
});

it('pauses after each piece', () => {
  expect([...joinedBytes(parts)]).toHaveLength(5);
  expect([...sha512Of(Buffer.alloc(700_000))]).toHaveLength(3);
});
