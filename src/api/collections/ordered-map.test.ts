import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteOrdered, OrderedMap } from './ordered-map.ts';

const key = fc.oneof(
  fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'b', '/', '0') }),
  fc.string({ maxLength: 2, unit: fc.constantFrom('a', 'é', '\ud7ff', '\ue000', '\uffff', '😀', '𐀀') }),
  fc.integer({ min: 0, max: 400 }).map((n) => `key/${n}`),
);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ set: key }) },
  { weight: 2, arbitrary: fc.record({ delete: key }) },
  {
    weight: 1,
    arbitrary: fc.record({ range: fc.record({ start: key, end: key, limit: fc.integer({ min: 0, max: 20 }) }) }),
  },
);

function bytesBetween(keys: Iterable<string>, start: string, end: string): string[] {
  const [low, high] = [Buffer.from(start), Buffer.from(end)];
  return [...keys]
    .map((text) => Buffer.from(text))
    .filter((bytes) => Buffer.compare(bytes, low) >= 0 && Buffer.compare(bytes, high) < 0)
    .sort((a, b) => Buffer.compare(a, b))
    .map((bytes) => bytes.toString());
}

test('behaves like a Map sorted by bytes, with immutable snapshots', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 600, size: 'max' }), (steps) => {
      const model = new Map<string, string>();
      let map = OrderedMap.empty<string>();
      const halfway = { map, keys: [] as string[] };
      for (const [at, action] of steps.entries()) {
        if (at === steps.length >> 1)
          Object.assign(halfway, { map, keys: bytesBetween(model.keys(), '', '\u{10ffff}') });
        if ('set' in action) {
          map = map.set(action.set, action.set);
          model.set(action.set, action.set);
        } else if ('delete' in action) {
          map = map.delete(action.delete);
          model.delete(action.delete);
        } else {
          const expected = bytesBetween(model.keys(), action.range.start, action.range.end);
          expect(map.slice(action.range.start, action.range.end, action.range.limit)).toEqual(
            expected.slice(0, action.range.limit),
          );
          expect(map.count(action.range.start, action.range.end)).toBe(expected.length);
        }
        expect(map.size).toBe(model.size);
      }
      const all = bytesBetween(model.keys(), '', '\u{10ffff}');
      expect(map.slice('', '\u{10ffff}')).toEqual(all);
      for (const one of all) expect(map.get(one)).toBe(one);
      expect(halfway.map.slice('', '\u{10ffff}')).toEqual(halfway.keys);
    }),
    { numRuns: 60 },
  );
});

test('many keys: in order, in reverse order, built at once, and deleted until empty', () => {
  const keys = Array.from({ length: 10_000 }, (_, n) => `/registry/pods/ns/${String(n).padStart(5, '0')}`);
  const built = OrderedMap.from(keys.toReversed(), (text) => text);
  let up = OrderedMap.empty<string>();
  let down = OrderedMap.empty<string>();
  for (const text of keys) up = up.set(text, text);
  for (const text of keys.toReversed()) down = down.set(text, text);
  for (const map of [built, up, down]) {
    expect(map.slice('', '~')).toEqual(keys);
    expect(map.count(keys[100]!, keys[9000]!)).toBe(8900);
  }
  for (const [at, text] of keys.entries()) {
    down = down.delete(text);
    if (at % 1000 === 0) expect(down.slice('', '~')).toEqual(keys.slice(at + 1));
  }
  expect(down.size).toBe(0);
  expect(down.slice('', '~')).toEqual([]);
});

test('from keeps the last of equal keys', () => {
  const map = OrderedMap.from(
    [
      { key: 'a', n: 1 },
      { key: 'b', n: 2 },
      { key: 'a', n: 3 },
    ],
    (entry) => entry.key,
  );
  expect(map.slice('', '~').map((entry) => entry.n)).toEqual([3, 2]);
});

test('byteOrdered does not change ordinary keys', () => {
  expect(byteOrdered('/registry/pods/é')).toBe('/registry/pods/é');
  expect(byteOrdered('\uffff') < byteOrdered('😀')).toBe(true);
});
