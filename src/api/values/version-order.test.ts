import { expect, test } from 'vitest';
import { compareVersions } from './version-order.ts';

test('discovery lists stable versions first, and the newest of each maturity', () => {
  const inOrder = [
    'v10',
    'v2',
    'v1',
    'v11beta2',
    'v10beta3',
    'v3beta1',
    'v12alpha1',
    'v11alpha2',
    'foo1',
    'foo10',
    'v2x',
  ];
  expect(inOrder.toReversed().sort(compareVersions)).toEqual(inOrder);
});

test('equal versions are equal', () => {
  expect(compareVersions('v1beta1', 'v1beta1')).toBe(0);
  expect(compareVersions('other', 'other')).toBe(0);
});
