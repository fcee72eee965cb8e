import { expect, test } from 'vitest';
import { allOf, collect, type Findings, hasAny, maxFound, through } from './findings.ts';

const itself = (text: string): string => text;

test('duplicate findings are reported once, at the first position', () => {
  expect(collect(['a', 'b', 'a'], itself)).toEqual({ found: ['a', 'b'], isCut: false });
});

test('no more are generated than are reported', () => {
  let made = 0;
  function* endless(): Findings<string> {
    for (;;) yield `error ${made++}`;
  }
  const { found, isCut } = collect(endless(), itself);
  expect({ found: found.length, isCut }).toEqual({ found: maxFound, isCut: true });
  expect(made).toBeLessThanOrEqual(maxFound + 1);
});

test('exactly as many as are reported do not count as cut', () => {
  const texts = Array.from({ length: maxFound }, (_, index) => `${index}`);
  expect(collect(texts, itself)).toEqual({ found: texts, isCut: false });
});

test('the total length of the text is bounded too', () => {
  const large = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(400_000, 'x'));
  const { found, isCut } = collect(large, itself);
  expect({ found: found.length, isCut }).toEqual({ found: 3, isCut: true });
});

test('findings are passed through, and whether there are any', () => {
  function* generous(): Findings<string | boolean> {
    yield* allOf(['a', 'b']);
    yield hasAny(['c']);
    yield yield* through([]);
  }
  expect(allOf(generous())).toEqual(['a', 'b', true, false]);
});
