import { describe, expect, test } from 'vitest';

import {
  compareReleases,
  featureGate,
  FeatureGateError,
  featureGatesOf,
  resolveFeatureGates,
} from './feature-gates.ts';

describe('a feature gate', () => {
  test.each([
    ['APIServerIdentity', '1.19', 'PreAlpha', false, false],
    ['APIServerIdentity', '1.20', 'ALPHA', false, false],
    ['APIServerIdentity', '1.37', 'BETA', true, false],
    ['InOrderInformers', '1.36', 'GA', true, true],
    ['AllowOverwriteTerminationGracePeriodSeconds', '1.35', 'DEPRECATED', false, true],
    ['DRAFractionalCapacityRange', '1.37', 'BETA', false, false],
    ['DRAFractionalCapacityRange', '1.38', 'BETA', true, false],
  ])('%s in %s is %s', (name, release, stage, enabledByDefault, locked) => {
    expect(featureGate(name, release)).toMatchObject({ name, stage, enabledByDefault, locked });
  });

  test('that is unknown is none', () => {
    expect(featureGate('Nothing', '1.37')).toBeUndefined();
  });
});

describe('resolveFeatureGates', () => {
  test('returns every gate with its default if nothing is set', () => {
    const states = resolveFeatureGates(new Map(), '1.37');
    expect([...states.keys()]).toEqual(featureGatesOf('1.37').map(({ name }) => name));
    expect(states.get('APIServerIdentity')).toBe(true);
    expect(states.get('CompositePodGroup')).toBe(false);
  });

  test('AllAlpha and AllBeta set the gates of their stage not set by name', () => {
    const states = resolveFeatureGates(
      new Map([
        ['AllAlpha', true],
        ['AllBeta', true],
        ['CPUManagerPolicyAlphaOptions', false],
      ]),
      '1.37',
    );
    expect(states.get('CompositePodGroup')).toBe(true);
    expect(states.get('CPUManagerPolicyAlphaOptions')).toBe(false);
  });

  test.each([
    ['Foo', true, '1.37', 'unrecognized feature gate: Foo'],
    ['InOrderInformers', false, '1.37', 'cannot set feature gate InOrderInformers to false, feature is locked to true'],
    [
      'CompositePodGroup',
      true,
      '1.36',
      'cannot set feature gate CompositePodGroup to true, feature is PreAlpha at emulated version 1.36, min compatibility version 1.35',
    ],
    [
      'GenericWorkload',
      true,
      '1.34',
      'cannot set feature gate GenericWorkload to true, feature is PreAlpha at emulated version 1.34, min compatibility version 1.34',
    ],
    [
      'DynamicResourceAllocation',
      false,
      '1.34',
      /^\[DRAAdminAccess is enabled, but depends on features that are disabled: \[DynamicResourceAllocation\], /,
    ],
  ] as const)('%s=%s in %s is refused', (name, enabled, release, message) => {
    const resolve = (): unknown => resolveFeatureGates(new Map([[name, enabled]]), release);
    expect(resolve).toThrow(FeatureGateError);
    expect(resolve).toThrow(message);
  });
});

test('releases are compared as numbers', () => {
  expect(compareReleases('1.9', '1.10')).toBeLessThan(0);
  expect(compareReleases('1.37', '1.37')).toBe(0);
  expect(compareReleases('2.0', '1.99')).toBeGreaterThan(0);
});
