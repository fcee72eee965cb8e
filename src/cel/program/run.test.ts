import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { newExpressionEnvironment, prepareExpressions } from '../environments/kubernetes.ts';
import type { Evaluation, Program } from './program.ts';

beforeAll(prepareExpressions);

let nowMs = 0;
beforeEach(() => {
  // The turn is over at the second look at the clock.
  vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 10));
});
afterEach(() => {
  vi.restoreAllMocks();
});

function compiled(text: string): Program {
  return newExpressionEnvironment(37).check(text).program();
}

function inTurns(program: Program, limit: number): { readonly evaluation: Evaluation; readonly pauses: number } {
  const run = program.start({}, limit);
  for (let pauses = 0; ; pauses += 1) {
    const evaluation = run.proceed();
    if (evaluation !== undefined) return { evaluation, pauses };
  }
}

function expectSame(text: string, limit = Infinity): number {
  const program = compiled(text);
  const { evaluation, pauses } = inTurns(program, limit);
  expect(evaluation, text).toEqual(program.evaluate({}, limit));
  return pauses;
}

const numbers = `[${Array.from({ length: 40 }, (_, index) => index).join(', ')}]`;
const table = `{${Array.from({ length: 40 }, (_, index) => `'k${index}': ${index}`).join(', ')}}`;

describe('evaluations in turns have the value and the cost of those without', () => {
  test.each([
    `${numbers}.all(a, ${numbers}.all(b, ${numbers}.exists(c, a + b == c || c == 39)))`,
    `${numbers}.map(a, ${numbers}.filter(b, b > a).map(c, c * a)).map(each, each.size())`,
    `${numbers}.exists(a, a > 50) || ${numbers}.all(b, b < 40) && ${numbers}.exists_one(c, c == 3)`,
    `${table}.map(k, ${numbers}.filter(a, a > 20).map(b, k + string(b))).map(each, each[0])`,
    `${numbers}.map(a, ${table}.exists(k, k == string(a)) ? 1 : 1 / (a - 30))`,
    `${table}.transformMap(k, v, ${numbers}.filter(a, a > v).size())`,
    `${numbers}.transformList(i, v, i > 2, ${numbers}.map(a, a + v))`,
    `${numbers}.map(a, ${numbers}.sortBy(b, -b)[a])`,
    `[1].map(a, ${numbers}.all(b, b >= 0) && ${numbers}.all(c, c >= a - 1) && ${numbers}.exists(d, d == 39))`,
    `optional.of(${numbers}.map(a, a)).optMap(list, ${numbers}.map(b, list[b])).orValue([])`,
  ])('%s', (text) => {
    expect(expectSame(text)).toBeGreaterThan(1);
  });

  test('up to their limits', () => {
    const text = `${numbers}.all(a, ${numbers}.all(b, ${numbers}.all(c, a + b + c >= 0)))`;
    for (const limit of [100, 5000, 50_000]) expectSame(text, limit);
  });

  test('whatever their loops', () => {
    const { list } = fc.letrec<{ list: string; test: string }>((tie) => ({
      list: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(numbers, '[1, 2, 3]', `${table}.map(k, size(k))`),
        fc.tuple(tie('list'), tie('list')).map(([a, b]) => `${a}.map(x, ${b}.size() + x)`),
        fc.tuple(tie('list'), tie('test')).map(([a, b]) => `${a}.filter(x, ${b})`),
        fc
          .tuple(tie('list'), tie('list'))
          .map(([a, b]) => `optional.of(${a}).optMap(y, ${b}.map(x, x + size(y)) + y).orValue([])`),
        fc.tuple(tie('test'), tie('list'), tie('list')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      ),
      test: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom('true', '1 / 0 == 1'),
        fc.tuple(tie('list'), tie('test')).map(([a, b]) => `${a}.all(z, z >= 0 && ${b})`),
        fc.tuple(tie('list'), tie('test')).map(([a, b]) => `${a}.exists(z, z > 38 || ${b})`),
        fc.tuple(tie('test'), tie('test')).map(([a, b]) => `(${a} && ${b})`),
        fc.tuple(tie('test'), tie('test')).map(([a, b]) => `(${a} || ${b})`),
      ),
    }));
    let pauses = 0;
    const property = fc.property(list, (text) => {
      pauses += expectSame(text, 200_000);
    });
    fc.assert(property, { numRuns: 100 });
    expect(pauses).toBeGreaterThan(100);
  });
});
