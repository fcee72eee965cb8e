import { expect, test } from 'vitest';
import type { KubernetesObject } from '../api/meta/object.ts';
import { type EndpointsResolver, routedServices } from './service-resolver.ts';

function clientOf(spec: object, slices: readonly object[] = []): Parameters<typeof routedServices>[0] {
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'tides' }, spec };
  const items = slices.map((slice) => ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { labels: { 'kubernetes.io/service-name': 'tides' } },
    ...slice,
  }));
  return {
    // Only what a resolver reads.
    get: () => Promise.resolve(service as unknown as KubernetesObject),
    list: () => Promise.resolve({ items: items as unknown as KubernetesObject[], resourceVersion: '1' }),
  };
}

const ports = [{ name: 'api', port: 443 }];
const atCluster = (spec: object): EndpointsResolver =>
  routedServices(clientOf(spec), { routesToEndpoints: false, serviceAddresses: new Map() });
const atEndpoints = (spec: object, slices: readonly object[]): EndpointsResolver =>
  routedServices(clientOf(spec, slices), { routesToEndpoints: true, serviceAddresses: new Map() });
const spec = { type: 'ClusterIP', clusterIP: '10.0.0.7', ipFamilies: ['IPv6'], ports };
const slice = (addressType: string, address: string, ready?: boolean): object => ({
  addressType,
  ports: [
    {
      name: 'api',
      port: 8443,
    },
  ],
  endpoints: [
    {
      addresses: [address, 'second'],
      conditions: ready === undefined ? {} : { ready },
    },
  ],
});

test('a service is reached at its cluster IP, or by its name elsewhere', async () => {
  expect(await atCluster(spec)('a', 'tides', 443)).toEqual([{ host: '10.0.0.7', port: 443 }]);
  const external = { type: 'ExternalName', externalName: 'tides.example' };
  expect(await atCluster(external)('a', 'tides', 8443)).toEqual([{ host: 'tides.example', port: 8443 }]);
});

test('endpoints are those that are ready, of the first address family if there are any', async () => {
  const both = [slice('IPv4', '192.0.2.1'), slice('IPv6', '2001:db8::1', true), slice('IPv6', '2001:db8::2', false)];
  expect(await atEndpoints(spec, both)('a', 'tides', 443)).toEqual([{ host: '2001:db8::1', port: 8443 }]);
  const one = [slice('IPv4', '192.0.2.1')];
  expect(await atEndpoints(spec, one)('a', 'tides', 443)).toEqual([{ host: '192.0.2.1', port: 8443 }]);
});

test.each([
  [spec, [], 443, 'no endpoints available for service "tides"'],
  [spec, [slice('IPv4', '192.0.2.1', false)], 443, 'no endpoints available for service "tides"'],
  [spec, [], 80, 'no service port 80 found for service "tides"'],
  [{ type: 'ExternalName' }, [], 443, 'unsupported service type "ExternalName"'],
])('%j with %j at %i fails', async (service, slices, port, message) => {
  await expect(atEndpoints(service, slices)('a', 'tides', port)).rejects.toThrow(message);
});
