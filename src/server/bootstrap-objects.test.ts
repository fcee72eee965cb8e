import { expect, test } from 'vitest';
import { apiObjects } from './bootstrap-objects.ts';

const address = { host: '192.0.2.2', port: 6443, serviceRanges: ['10.0.0.0/24'] };

function rowOf(resource: string, changed: Partial<typeof address> = {}) {
  return apiObjects({ ...address, ...changed }).find((row) => row.resource === resource);
}

test('the service has the first address of the range, and keeps the port of the server', () => {
  const service = rowOf('services', { serviceRanges: ['fd00:1::/108'] });
  expect(service?.initial).toMatchObject({ spec: { clusterIP: 'fd00:1::1', ipFamilies: ['IPv6'] } });
  expect(service?.kept).toMatchObject({ spec: { ports: [{ port: 443, targetPort: 6443 }] } });
});

test('endpoints tell where the server is, but for loopback', () => {
  expect(rowOf('endpoints')?.kept['subsets']).toEqual([
    { addresses: [{ ip: '192.0.2.2' }], ports: [{ name: 'https', port: 6443, protocol: 'TCP' }] },
  ]);
  expect(rowOf('endpointslices', { host: 'fd00::5' })?.kept).toMatchObject({ addressType: 'IPv6' });
  expect(rowOf('endpoints', { host: '127.0.0.1' })).toBeUndefined();
  expect(rowOf('endpointslices', { host: '::1' })).toBeUndefined();
});
