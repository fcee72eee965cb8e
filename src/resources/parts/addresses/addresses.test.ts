import { expect, test } from 'vitest';
import { canonicalIpAddress, canonicalIpRange, ipAddress, ipRange } from './addresses.ts';

test.each([
  [ipAddress('10.0.0.011', 'ip'), 'StrictIPCIDRValidation on'],
  [ipAddress('::ffff:10.0.0.1', 'ip'), 'StrictIPCIDRValidation on'],
  [ipRange('10.0.012.0/24', 'cidr'), 'StrictIPCIDRValidation on'],
  [ipRange('10.0.0.1/24', 'cidr'), 'StrictIPCIDRValidation on'],
  [ipAddress('x', 'ip'), undefined],
  [ipRange('x', 'cidr'), undefined],
  [canonicalIpAddress('10.0.0.011', 'ip'), undefined],
  [canonicalIpRange('10.0.0.1/24', 'cidr'), undefined],
])('%j may be disabled as %s', (errors, clusterPolicy) => {
  expect(errors).toHaveLength(1);
  expect(errors[0]?.clusterPolicy).toBe(clusterPolicy);
});
