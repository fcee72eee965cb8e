import { expect, test } from 'vitest';
import { isInScope, requirementsOf } from './scopes.ts';

const scopes = (values: readonly string[]) => ({
  flags: new Set(['BestEffort']),
  values: new Map([['PriorityClass', values]]),
});

test.each([
  [[], 'Exists', [], false],
  [['a'], 'Exists', [], true],
  [[], 'DoesNotExist', [], true],
  [['a'], 'DoesNotExist', [], false],
  [[], 'In', ['a'], false],
  [['a'], 'In', ['a', 'b'], true],
  [['c'], 'In', ['a', 'b'], false],
  [[], 'NotIn', ['a'], true],
  [['a'], 'NotIn', ['a'], false],
  // One of several that is in scope is enough.
  [['a', 'b'], 'NotIn', ['a'], true],
])('%j %s %j: %s', (own, operator, values, isIn) => {
  expect(isInScope({ scopeName: 'PriorityClass', operator, values }, scopes(own))).toBe(isIn);
});

test('scopes without values are in or not', () => {
  expect(isInScope({ scopeName: 'BestEffort', operator: 'Exists' }, scopes([]))).toBe(true);
  expect(isInScope({ scopeName: 'NotBestEffort', operator: 'Exists' }, scopes([]))).toBe(false);
});

test('a scope that a kind does not know is never its', () => {
  const requirement = { scopeName: 'VolumeAttributesClass', operator: 'NotIn', values: ['a'] };
  expect(isInScope(requirement, scopes([]))).toBe(false);
});

test('both ways to name scopes count', () => {
  const matchExpressions = [{ scopeName: 'PriorityClass', operator: 'Exists' }];
  expect(requirementsOf({ scopes: ['BestEffort'], scopeSelector: { matchExpressions } })).toEqual([
    { scopeName: 'BestEffort', operator: 'Exists' },
    ...matchExpressions,
  ]);
});
