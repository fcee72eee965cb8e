import { expect, test } from 'vitest';
import type { EndpointPort } from '../../schema/kubernetes/generated/types/core-v1.ts';
import { addressCount, packSubsets, type PortedAddresses, printedSubset, truncated } from './endpoint-subsets.ts';
import { goHash } from './go-hash.ts';

const http: EndpointPort = { name: 'http', port: 80, protocol: 'TCP' };
const h2c: EndpointPort = { port: 81, protocol: 'UDP', appProtocol: 'kubernetes.io/h2c' };

test('hashes are those of Go', () => {
  const targetRef = { kind: 'Pod', namespace: 'ns', name: 'p', uid: 'u-1' };
  const full = { ip: '10.0.0.1', hostname: 'h', nodeName: 'n1', targetRef };
  const subset = { addresses: [full, { ip: '10.0.0.2' }], ports: [http, h2c] };
  // Printed and hashed by a Go program.
  expect(goHash(printedSubset(subset))).toBe('e4267bf23368920db4e962d620b1fedb');
  expect(goHash(printedSubset({ notReadyAddresses: [{ ip: '10.0.0.1', nodeName: '' }] }))).toBe(
    'e67726053cbaf301333ae1280a792586',
  );
});

test('what is said of an address first counts for all its ports', () => {
  const [first, second] = [{ ip: '10.0.0.1' }, { ip: '10.0.0.1', hostname: 'h', nodeName: 'n' }];
  const groups = [
    { ports: [http], states: [{ address: first, isReady: true }] },
    { ports: [h2c, http], states: [{ address: second, isReady: false }] },
  ];
  expect(packSubsets(groups)).toEqual([{ notReadyAddresses: [first], ports: [h2c, http] }]);
});

test('addresses with the same ports are together; who is not ready on a port stands apart', () => {
  const [a, b] = [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }];
  const ready = (address: typeof a) => ({ address, isReady: true });
  const not = (address: typeof a) => ({ address, isReady: false });
  const all = [
    { ports: [http], states: [ready(b), not(a)] },
    { ports: [h2c], states: [not(a), ready(b)] },
  ];
  const pack = (groups: readonly PortedAddresses[]) => packSubsets(groups);
  expect(pack(all)).toEqual([{ addresses: [b], notReadyAddresses: [a], ports: [h2c, http] }]);
  expect(
    pack([
      { ports: [http, h2c], states: [not(a)] },
      { ports: [http], states: [ready(b)] },
    ]),
  ).toHaveLength(2);
  expect(
    pack([
      { ports: [http], states: [ready(a)] },
      { ports: [http], states: [not(a)] },
    ]),
  ).toEqual([{ notReadyAddresses: [a], ports: [http] }]);
  expect(pack([{ ports: [undefined], states: [ready(a)] }])).toEqual([{ addresses: [a] }]);
});

test('ports with very many lists of addresses are not packed', () => {
  const states = Array.from({ length: 2_000 }, (_, index) => ({ address: { ip: `10.0.0.${index}` }, isReady: true }));
  const ports = Array.from({ length: 200 }, (_, index) => ({ port: index + 1 }));
  const groups = [{ ports, states }, ...ports.map((port) => ({ ports: [port], states: [] }))];
  expect(() => packSubsets(groups)).toThrow('too many different lists');
});

test('too many addresses are cut, those that are not ready first', () => {
  const many = (count: number, net: number) =>
    Array.from({ length: count }, (_, index) => ({ ip: `10.${net}.${index >> 8}.${index & 255}` }));
  const some = truncated([{ addresses: many(600, 0), notReadyAddresses: many(600, 1), ports: [http] }]);
  expect(some.map(({ addresses, notReadyAddresses }) => [addresses?.length, notReadyAddresses?.length])).toEqual([
    [600, 400],
  ]);
  const ready = truncated([
    { addresses: many(900, 0), ports: [http] },
    { addresses: many(600, 1), notReadyAddresses: many(5, 2), ports: [h2c] },
  ]);
  expect(ready.map(({ addresses, notReadyAddresses }) => [addresses?.length, notReadyAddresses])).toEqual([
    [600, undefined],
    [400, undefined],
  ]);
  expect(addressCount(ready)).toBe(1000);
});
