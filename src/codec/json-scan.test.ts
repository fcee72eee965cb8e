import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BodyLimitError } from './body-limits.ts';
import { scanJson } from './json-scan.ts';

const limits = { collections: 100, depth: 10 };
const parts = fc.array(fc.constantFrom('"', '\\', ':', '{', 'é', '1.5', 'n', 'x'.repeat(100)), { maxLength: 6 });

it('the content of strings does not count', () => {
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      const [first, second] = [JSON.stringify(one.join('')), JSON.stringify(other.join(''))];
      const text = `{"a":${first},"b":[${second}],"c":"\\u00e9"}`;
      expect(scanJson(Buffer.from(text), limits)).toEqual({
        colons: 3,
        escapedKeys: false,
        oddValues: false,
      });
    }),
  );
});

it.each([
  ['["\\ud83d"]', true],
  ['["\\\\ud83d"]', false],
  ['[-0]', true],
  ['[0]', false],
])('%s has odd values: %s', (text, oddValues) => {
  expect(scanJson(Buffer.from(text), limits)).toMatchObject({ oddValues });
});

it('counts objects, lists and nulls', () => {
  const text = (count: number): Buffer => Buffer.from(`[${Array<string>(count).fill('{},null,[]').join(',')}]`);
  expect(scanJson(text(33), limits).colons).toBe(0);
  expect(() => scanJson(text(34), limits)).toThrow(BodyLimitError);
  // Nothing is read beyond the limit.
  expect(() => scanJson(Buffer.concat([text(34), Buffer.from('[1 2]'), Buffer.alloc(11, '[')]), limits)).toThrow(
    BodyLimitError,
  );
});

it('refuses what nests too deeply, and tells what is wrong before that', () => {
  const deep = `${'['.repeat(11)}${']'.repeat(11)}`;
  expect(() => scanJson(Buffer.from(deep), limits)).toThrow('exceeded max depth');
  expect(() => scanJson(Buffer.from(`[1 2]${deep}`), limits)).toThrow("character '2' after array element");
});

it.each(['"', '{"a', '["\\', '["a\\"', '}}', '1', ':n'])('reads to the end of %s, which is no JSON', (text) => {
  expect(scanJson(Buffer.from(text), limits).colons).toBeLessThan(2);
});
