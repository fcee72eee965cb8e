import { expect, test } from 'vitest';
import { kubernetesService } from './kubernetes-service.ts';
import { placesOf, portsOf, sliceOf, withPlaces } from './server-endpoints.ts';

test('the service has the first address of the range, and keeps the port of the server', () => {
  const service = kubernetesService({ port: 6443, nodePort: 0, range: 'fd00:1::/108' });
  expect(service.initial).toMatchObject({ spec: { clusterIP: 'fd00:1::1' } });
  expect(service.kept).toMatchObject({ spec: { ports: [{ port: 443, targetPort: 6443 }] } });
});

test('endpoints list every address once, in order, and keep existing fields', () => {
  const old = { subsets: [{ addresses: [{ ip: '10.0.1.2', hostname: 'two' }], ports: [...portsOf(1)] }] };
  const places = { addresses: ['10.0.1.3', '10.0.1.2', '10.0.1.3'], ports: portsOf(6443) };
  expect(withPlaces(old, places)).toEqual({
    metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    subsets: [{ addresses: [{ ip: '10.0.1.2', hostname: 'two' }, { ip: '10.0.1.3' }], ports: portsOf(6443) }],
  });
  expect(withPlaces(old, { ...places, addresses: [] }).subsets).toEqual([]);
});

test('endpoints of another form are not used', () => {
  expect(placesOf({})).toBeUndefined();
  expect(placesOf({ subsets: [{}, {}] })).toBeUndefined();
  expect(placesOf({ subsets: [{ addresses: [{ ip: '10.0.1.2' }] }] })).toEqual({ addresses: ['10.0.1.2'], ports: [] });
});

test('a slice is of IPv6 when all addresses are', () => {
  expect(sliceOf({ addresses: ['fd00::5'], ports: portsOf(6443) })).toMatchObject({ addressType: 'IPv6' });
  expect(sliceOf({ addresses: ['fd00::5', '10.0.1.1'], ports: portsOf(6443) })).toEqual({
    metadata: { labels: { 'kubernetes.io/service-name': 'kubernetes' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.1.1'], conditions: { ready: true } }],
    ports: portsOf(6443),
  });
  expect(sliceOf({ addresses: [], ports: portsOf(6443) })).toMatchObject({
    addressType: 'IPv4',
    endpoints: [],
    ports: [],
  });
});
