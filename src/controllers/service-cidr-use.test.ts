import { expect, test } from 'vitest';
import type { KubernetesObject } from '../api/meta/object.ts';
import { isNeeded, type StoredCidr } from './service-cidr-use.ts';

function cidr(name: string, ...cidrs: string[]): StoredCidr {
  return { apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR', metadata: { name }, spec: { cidrs } };
}

function address(name: string, manager = 'ipallocator.k8s.io'): KubernetesObject {
  const labels = { 'ipaddress.kubernetes.io/managed-by': manager };
  return { apiVersion: 'networking.k8s.io/v1', kind: 'IPAddress', metadata: { name, labels } };
}

const going = cidr('going', '10.0.0.0/24');

test.each([
  { what: 'addresses of services need it', others: [], addresses: [address('10.0.0.1')], expected: true },
  { what: 'those of others do not', others: [], addresses: [address('10.0.0.1', 'mine')], expected: false },
  { what: 'nor do those outside of it', others: [], addresses: [address('10.0.1.1')], expected: false },
  { what: 'nor those that no service can have', others: [], addresses: [address('10.0.0.255')], expected: false },
  {
    what: 'a range around it takes all over',
    others: [cidr('parent', '10.0.0.0/16')],
    addresses: [address('10.0.0.1')],
    expected: false,
  },
  {
    what: 'the same range does',
    others: [cidr('same', '10.0.0.0/24')],
    addresses: [address('10.0.0.1')],
    expected: false,
  },
  {
    what: 'a smaller one takes over what it has',
    others: [cidr('child', '10.0.0.0/28')],
    addresses: [address('10.0.0.1')],
    expected: false,
  },
  {
    what: 'and no more',
    others: [cidr('child', '10.0.0.0/28')],
    addresses: [address('10.0.0.1'), address('10.0.0.77')],
    expected: true,
  },
])('$what', ({ others, addresses, expected }) => {
  expect(isNeeded(going, { cidrs: [going, ...others], addresses })).toBe(expected);
});

test('both ranges of a dual-stack one count', () => {
  const dual = cidr('dual', '10.0.0.0/24', 'fd00::/112');
  const cidrs = [dual, cidr('parent', '10.0.0.0/16')];
  expect(isNeeded(dual, { cidrs, addresses: [address('10.0.0.1')] })).toBe(false);
  expect(isNeeded(dual, { cidrs, addresses: [address('fd00::5')] })).toBe(true);
});
