import { describe, expect, test } from 'vitest';
import { chosenControllers } from './controller-choice.ts';
import { type ControllerRow, controllerTable } from './controller-table.ts';

const start = (): AsyncDisposable => ({ [Symbol.asyncDispose]: () => Promise.resolve() });
const table: readonly ControllerRow[] = [
  { name: 'sweeping-controller', aliases: ['sweeping'], start },
  { name: 'mopping-controller', start },
  { name: 'polishing-controller', isOffByDefault: true, start },
];

describe('the controllers that are chosen', () => {
  test.each([
    { choice: ['*'], expected: ['sweeping-controller', 'mopping-controller'] },
    { choice: [], expected: [] },
    { choice: ['mopping-controller'], expected: ['mopping-controller'] },
    { choice: ['*', '-sweeping-controller'], expected: ['mopping-controller'] },
    { choice: ['-sweeping', '*'], expected: ['mopping-controller'] },
    {
      choice: ['*', 'polishing-controller'],
      expected: ['sweeping-controller', 'mopping-controller', 'polishing-controller'],
    },
    { choice: ['sweeping', '-sweeping-controller'], expected: ['sweeping-controller'] },
    { choice: ['-sweeping', 'sweeping-controller'], expected: [] },
    { choice: ['-mopping-controller'], expected: [] },
  ])('$choice', ({ choice, expected }) => {
    expect(chosenControllers(choice, table).map(({ name }) => name)).toEqual(expected);
  });

  test.each([
    { choice: ['*', 'dusting'], message: '"dusting" is not in the list of known controllers' },
    { choice: ['-dusting'], message: '"dusting" is not in the list of known controllers' },
    {
      choice: ['a', '-b'],
      message: '["a" is not in the list of known controllers, "b" is not in the list of known controllers]',
    },
  ])('$choice is refused', ({ choice, message }) => {
    expect(() => chosenControllers(choice, table)).toThrow(
      expect.objectContaining({ message, code: 'CONTROLLER_CHOICE' }),
    );
  });
});

test('no two controllers have a name in common', () => {
  const names = controllerTable.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  expect(new Set(names).size).toBe(names.length);
});
