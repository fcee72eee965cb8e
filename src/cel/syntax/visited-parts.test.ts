import { expect, test } from 'vitest';
import { finish } from '../../api/turns.ts';
import { newExpressionEnvironment, prepareExpressions } from '../environments/kubernetes.ts';
import type { Expr } from './ast.ts';
import { parsing } from './parser.ts';
import { visiting } from './visited-parts.ts';

const parsed = (text: string): Expr => finish(parsing(text, { macros: new Map(), optionals: true })).expr;
const repeated = (text: string, by: string, count: number): string =>
  Array.from({ length: count }, () => text).join(by);

/** The nodes that a recursive visitor looks into, in the order in which it is done with them. */
function visit(root: Expr): { readonly order: readonly Expr[]; readonly pauses: number } {
  const known = new Map<Expr, true>();
  const order: Expr[] = [];
  const look = (expr: Expr): true => {
    if (known.has(expr)) return true;
    if (expr.kind === 'call') for (const part of [expr.target, ...expr.args]) if (part !== undefined) look(part);
    if (expr.kind === 'list') for (const { value } of expr.elements) look(value);
    if (expr.kind === 'select') look(expr.operand);
    order.push(expr);
    return true;
  };
  const work = visiting(root, known, look);
  let pauses = 0;
  while (work.next().done !== true) pauses += 1;
  return { order, pauses };
}

test('large expressions are visited in parts, in the order of recursion', () => {
  const call = repeated('a.size()', ', ', 400);
  const root = parsed(`(${repeated('x == 1', ' && ', 900)}) ? [${repeated('1', ', ', 3000)}] : [f(${call})]`);
  const recursive: Expr[] = [];
  const look = (expr: Expr): void => {
    if (expr.kind === 'call') for (const part of [expr.target, ...expr.args]) if (part !== undefined) look(part);
    if (expr.kind === 'list') for (const { value } of expr.elements) look(value);
    recursive.push(expr);
  };
  look(root);
  const { order, pauses } = visit(root);
  expect(order.length).toBe(recursive.length);
  expect(order.every((expr, index) => expr === recursive[index])).toBe(true);
  expect(pauses).toBeGreaterThan(10);
});

test('small ones are visited at once', () => {
  expect(visit(parsed('a == 1 && [1, 2] == b')).pauses).toBe(0);
});

test('what is wrong in a large expression is told in the same order, and what is right evaluates', async () => {
  await prepareExpressions();
  const environment = newExpressionEnvironment(36);
  const wrong = `[${repeated('1', ', ', 600)}, a].size() > 0 && [b, ${repeated('1', ', ', 600)}].size() > 0 || c`;
  expect(() => environment.check(wrong)).toThrow(/'a'[^]*'b'[^]*'c'/);
  const sum = environment.check(repeated('1', ' + ', 200)).program();
  expect(sum.evaluate({}, Infinity).value).toBe(200);
  const long = environment.check(`[${repeated('[1].all(x, x > 0)', ', ', 800)}].all(y, y)`);
  expect(long.program().evaluate({}, Infinity).value).toBe(true);
  expect(long.estimate(() => undefined).max).toBeGreaterThan(0n);
});
