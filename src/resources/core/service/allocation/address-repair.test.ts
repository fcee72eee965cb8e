import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../../api/meta/object.ts';
import { newIpAddress } from '../../../networking/ip-address/service-address.ts';
import { findAddressProblems, type StoredAddress } from './address-repair.ts';
import type { Service, ServiceSpec } from './service-needs.ts';

const now = Date.parse('2026-01-01T00:10:00Z');
const long = '2026-01-01T00:00:00Z';
const justNow = '2026-01-01T00:09:58Z';

function service(name: string, clusterIP: string, spec: ServiceSpec = {}): KubernetesObject & Service {
  const metadata = { namespace: 'default', name, creationTimestamp: long };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { type: 'ClusterIP', clusterIP, clusterIPs: [clusterIP], ...spec },
  };
}

function addressOf(address: string, name: string, creationTimestamp = long): StoredAddress {
  const object = newIpAddress(address, { namespace: 'default', name });
  return { ...object, metadata: { ...object.metadata, creationTimestamp } };
}

/** The findings, one per line: `Reason: note -> mending`. */
function find(
  services: readonly Service[],
  addresses: readonly StoredAddress[],
  unreadable = { services: new Set<string>(), addresses: new Set<string>() },
): readonly string[] {
  const isDeclared = ({ value }: { readonly value: bigint }): boolean => value >> 8n === 0x0a_00_00n;
  const { problems, lookAgainMs } = findAddressProblems({ services, addresses, unreadable, isDeclared, nowMs: now });
  const lines = problems.map(({ event, mending }) => {
    const mended = mending === undefined ? [] : [`-> ${mending.how} ${mending.address}`];
    return [...(event === undefined ? [] : [`${event.reason}: ${event.note}`]), ...mended].join(' ');
  });
  return lookAgainMs === undefined ? lines : [...lines, `look again in ${lookAgainMs / 1000} s`];
}

test('matching objects are not a problem', () => {
  const services = [service('one', '10.0.0.1'), service('headless', 'None')];
  expect(find(services, [addressOf('10.0.0.1', 'one')])).toEqual([]);
});

test('nothing is done about what objects that cannot be read may have', () => {
  const unreadable = { services: new Set(['default/sealed']), addresses: new Set(['10.0.0.2']) };
  const services = [service('one', '10.0.0.1'), service('two', '10.0.0.2')];
  const addresses = [addressOf('10.0.0.1', 'sealed'), addressOf('10.0.0.3', 'sealed')];
  expect(find(services, addresses, unreadable)).toEqual([]);
});

test.each([
  {
    what: 'an address that no object stands for is given to its service',
    services: [service('one', '10.0.0.1')],
    addresses: [],
    expected: ['ClusterIPNotAllocated: Cluster IP [IPv4]: 10.0.0.1 is not allocated; repairing -> give 10.0.0.1'],
  },
  {
    what: 'an address outside of all ranges is for people',
    services: [service('one', '10.9.0.1')],
    addresses: [],
    expected: [
      'ClusterIPOutOfRange: Cluster IP [IPv4]: 10.9.0.1 is not within any configured Service CIDR; please recreate service',
    ],
  },
  {
    what: 'an address of a service that is gone is taken from it',
    services: [service('one', '10.0.0.1')],
    addresses: [addressOf('10.0.0.1', 'gone')],
    expected: [
      'ClusterIPNotAllocated: the ClusterIP [IPv4]: 10.0.0.1 for Service default/one has a wrong reference; repairing -> regive 10.0.0.1',
    ],
  },
  {
    what: 'of two services with one address the one on the object has it',
    services: [service('one', '10.0.0.1'), service('other', '10.0.0.1')],
    addresses: [addressOf('10.0.0.1', 'one')],
    expected: [
      'ClusterIPAlreadyAllocated: Cluster IP [IPv4]:10.0.0.1 was assigned to multiple services; please recreate service',
    ],
  },
  {
    what: 'an address without a service waits for it as long as a request may take',
    services: [],
    addresses: [addressOf('10.0.0.1', 'coming', justNow)],
    expected: ['look again in 58 s'],
  },
  {
    what: "then it is nobody's",
    services: [],
    addresses: [addressOf('10.0.0.1', 'gone')],
    expected: [
      'IPAddressNotAllocated: IPAddress: 10.0.0.1 for Service default/gone appears to have leaked: cleaning up -> remove 10.0.0.1',
    ],
  },
  {
    what: "an address that its service does not have is nobody's",
    services: [service('one', '10.0.0.1')],
    addresses: [addressOf('10.0.0.1', 'one'), addressOf('10.0.0.2', 'one')],
    expected: [
      'IPAddressWrongReference: IPAddress: 10.0.0.2 for Service default/one has a wrong reference; cleaning up -> remove 10.0.0.2',
    ],
  },
  {
    what: 'unless it was taken for a write that may still fail',
    services: [service('one', '10.0.0.1')],
    addresses: [addressOf('10.0.0.1', 'one'), addressOf('10.0.0.2', 'one', justNow)],
    expected: ['look again in 5 s'],
  },
  {
    what: 'the name of another host may be about to become a service with an address',
    services: [service('one', '', { type: 'ExternalName', clusterIPs: [] })],
    addresses: [addressOf('10.0.0.2', 'one', justNow)],
    expected: ['look again in 58 s'],
  },
])('$what', ({ services, addresses, expected }) => {
  expect(find(services, addresses)).toEqual(expected);
});

test('an object without its labels is recreated', () => {
  const bare = addressOf('10.0.0.1', 'one');
  bare.metadata = { name: '10.0.0.1', creationTimestamp: long };
  expect(find([service('one', '10.0.0.1')], [bare])).toEqual(['-> regive 10.0.0.1']);
});

test('a managed address with another kind of parent is removed; unmanaged ones are ignored', () => {
  const strange = addressOf('10.0.0.7', 'one');
  strange.spec = { parentRef: { group: 'example.com', resource: 'gateways', namespace: 'default', name: 'one' } };
  const others = { ...strange, metadata: { name: '10.0.0.8', creationTimestamp: long } };
  expect(find([], [strange, others])).toEqual([
    'IPAddressNotAllocated: IPAddress 10.0.0.7 appears to have been modified, not referencing a Service &ParentReference{Group:example.com,Resource:gateways,Namespace:default,Name:one,}: cleaning up -> remove 10.0.0.7',
  ]);
});
