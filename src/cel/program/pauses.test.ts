import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { TimeSlice } from '../../api/scheduling/time-slice.ts';
import { prepareExpressions, storedExpressionEnvironment } from '../environments/kubernetes.ts';
import { Pause, withoutPauses } from './pause.ts';
import type { Evaluation, Program } from './program.ts';

beforeAll(prepareExpressions);

let nowMs = 0;
beforeEach(() => {
  // The time slice is over at the second look at the clock.
  vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 10));
});
afterEach(() => {
  vi.restoreAllMocks();
});

function compiled(text: string): Program {
  return storedExpressionEnvironment().check(text).program();
}

function evaluated(program: Program, limit: number): { readonly evaluation: Evaluation; readonly pauses: number } {
  let result = program.begin({}, { costLimit: limit });
  for (let pauses = 0; ; pauses += 1) {
    if (!(result instanceof Pause)) return { evaluation: result, pauses };
    result = result.goOn();
  }
}

const count = 1000;
const last = count - 1;
const numbers = `[${Array.from({ length: count }, (_, index) => index).join(', ')}]`;
const table = `{${Array.from({ length: count }, (_, index) => `'k${index}': ${index}`).join(', ')}}`;
const sum = (count * last) / 2;

/** Expressions that pause, and what they are. */
test.each<readonly [text: string, value: unknown]>([
  ['LIST.all(a, [1, 2, 3].exists(b, a + b > 0))', true],
  ['LIST.map(a, a).size() + LIST.filter(a, a > 9).size()', 2 * count - 10],
  ['[1, LIST.map(a, a * 2)[LAST], 3]', [1, 2 * last, 3]],
  ['{"a": LIST.filter(a, a >= LAST), "b": [1]}.a', [last]],
  ['LIST[LIST.filter(a, a >= LAST)[0]]', last],
  ['LIST.exists(a, a >= LAST) ? LIST.map(a, a).sum() : 0', sum],
  ['LIST.exists(a, a > LAST) || !LIST.all(a, a < LAST) && LIST.exists_one(a, a == 7)', true],
  ['1 / 0 > 1 || LIST.exists(a, a == LAST)', true],
  ['TABLE.map(k, TABLE[k]).sum()', sum],
  ['TABLE.transformMap(k, v, v + 1)["kLAST"]', count],
  ['TABLE.transformList(k, v, v >= LAST, v)', [last]],
  ['LIST.transformList(i, v, i >= LAST, v)', [last]],
  ['optional.of(LIST.map(a, a)).optMap(list, LIST.map(b, list[b])).orValue([])[LAST]', last],
  ['optional.none().or(optional.of(LIST.map(a, a).size())).value()', count],
  ['"%d of %d".format([LIST.filter(a, a > 9).size(), LIST.size()])', `${count - 10} of ${count}`],
  ['[0, 1].map(a, LIST.filter(b, b < a).map(c, c + 5))', [[], [5]]],
])('%s', (text, value) => {
  const program = compiled(text.replaceAll('LIST', numbers).replaceAll('TABLE', table).replaceAll('LAST', `${last}`));
  const { evaluation, pauses } = evaluated(program, Infinity);
  expect(evaluation).toMatchObject({ value, isCancelled: false });
  expect(pauses).toBeGreaterThan(0);
  expect(evaluated(program, evaluation.cost).evaluation).toEqual(evaluation);
  expect(evaluated(program, evaluation.cost - 1).evaluation.isCancelled).toBe(true);
});

test('what has no comprehension does not pause', () => {
  expect(evaluated(compiled(`${numbers}.size() == 1000 && 1 + 1 == 2`), Infinity).pauses).toBe(0);
});

test('what begins when the time slice is over pauses first', () => {
  const begun = compiled('1 + 1').begin({}, { costLimit: Infinity, timeSlice: new TimeSlice(-Infinity) });
  expect(begun).toBeInstanceOf(Pause);
  expect(withoutPauses(begun).value).toBe(2);
});
