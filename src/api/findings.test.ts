import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { allOf, collect, type Findings, hasAny, keptBack, maxFound, through } from './findings.ts';

const itself = (text: string): string => text;

test('duplicate findings are reported once, at the first position', async () => {
  expect(await collect(['a', undefined, 'b', 'a'], itself)).toEqual({ found: ['a', 'b'], isCut: false });
});

test('no more are generated than are reported', async () => {
  let made = 0;
  function* endless(): Findings<string> {
    for (;;) yield `error ${made++}`;
  }
  const { found, isCut } = await collect(endless(), itself);
  expect({ found: found.length, isCut }).toEqual({ found: maxFound, isCut: true });
  expect(made).toBeLessThanOrEqual(maxFound + 1);
});

test('exactly as many as are reported do not count as cut', async () => {
  const texts = Array.from({ length: maxFound }, (_, index) => `${index}`);
  expect(await collect(texts, itself)).toEqual({ found: texts, isCut: false });
});

test('the total length of the text is bounded too', async () => {
  const large = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(400_000, 'x'));
  const { found, isCut } = await collect(large, itself);
  expect({ found: found.length, isCut }).toEqual({ found: 3, isCut: true });
});

test('other work continues while nothing is found', async () => {
  let [others, isDone] = [0, false];
  function* slow(): Findings<string> {
    for (let step = 0; step < 60; step++) {
      const end = performance.now() + 1;
      while (performance.now() < end);
      yield;
    }
    isDone = true;
  }
  const collected = collect(slow(), itself);
  while (!isDone) {
    await setImmediate();
    others += 1;
  }
  await collected;
  expect(others).toBeGreaterThan(2);
});

test('withheld findings and existence checks let pauses through', () => {
  function* generous(): Findings<string | boolean> {
    const kept = yield* keptBack([undefined, 'a', undefined, 'b']);
    yield* kept;
    yield yield* hasAny([undefined, 'c']);
    yield yield* through([undefined]);
  }
  expect([...generous()]).toEqual([undefined, undefined, 'a', 'b', undefined, true, undefined, false]);
  expect(allOf(generous())).toEqual(['a', 'b', true, false]);
});
