import { beforeAll, expect, test } from 'vitest';
import { compileAll, compileEach } from './compile-all.ts';
import { ExpressionError } from './compile-expression.ts';
import type { Environment } from './environments/environment.ts';
import { prepareExpressions, storedExpressionEnvironment } from './environments/kubernetes.ts';
import { types } from './types/cel-type.ts';

beforeAll(prepareExpressions);

test('an expression that does not compile is an error in its place', async () => {
  const environment = storedExpressionEnvironment();
  const [sum, broken, other] = await compileAll([
    { environment, text: '1 + 1' },
    { environment, text: '1 +' },
    { environment, text: '1 + 1', expected: [types.bool] },
  ]);
  expect(sum).toMatchObject({ text: '1 + 1' });
  expect(broken).toBeInstanceOf(ExpressionError);
  expect(other).toMatchObject({ message: 'must evaluate to bool but got int' });
});

test('the environment of a source may depend on those before', async () => {
  let environment: Environment = storedExpressionEnvironment();
  function* sources() {
    for (const [name, text] of Object.entries({ a: '1', b: 'a + 1', c: 'b + a' })) yield { environment, text, name };
  }
  const compiled = new Map<string, boolean>();
  await compileEach(sources(), (result, { name }) => {
    compiled.set(name, !(result instanceof ExpressionError));
    environment = environment.with([[name, types.int]], []);
  });
  expect([...compiled]).toEqual([
    ['a', true],
    ['b', true],
    ['c', true],
  ]);
});
