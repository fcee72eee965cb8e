import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../../api/object.ts';
import { serviceAllocation } from './service-allocation.ts';
import type { Service, ServiceSpec } from './service-needs.ts';

const lasting = { dryRun: false, context: { requestVersion: 'v1' } };

function service(spec: ServiceSpec, name = 'web'): KubernetesObject & Service {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { type: 'ClusterIP', ...spec } };
}

function allocation(stored: readonly Service[] = []) {
  return serviceAllocation({
    clusterIpRanges: ['10.0.0.0/24'],
    nodePortRange: { base: 30_000, size: 2_768 },
    lifted: new Set(),
    listServices: () => Promise.resolve(stored),
  });
}

test('a service is given an address of the part of the range that nobody asks for by number', async () => {
  const { beginCreate } = allocation();
  const web = service({});
  await beginCreate?.(web, lasting);
  expect(web.spec).toMatchObject({ ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' });
  expect(web.spec?.clusterIPs).toEqual([web.spec?.clusterIP]);
  expect(Number(web.spec?.clusterIP?.split('.')[3])).toBeGreaterThan(16);
});

test('what stored services have is taken, until they are deleted', async () => {
  const stored = service({ clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9'], ipFamilies: ['IPv4'] });
  const { beginCreate, afterDelete } = allocation([stored]);
  const create = async () => beginCreate?.(service({ clusterIP: '10.0.0.9' }), lasting);
  await expect(create()).rejects.toThrow(
    'Service "web" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.9"]: failed to allocate IP 10.0.0.9: provided IP is already allocated',
  );
  afterDelete?.(stored);
  await expect(create()).resolves.toBeTypeOf('function');
});

test('a write that fails gives back what it took, a dry run takes nothing', async () => {
  const { beginCreate } = allocation();
  const create = (dryRun: boolean) =>
    Promise.resolve(
      beginCreate?.(service({ type: 'NodePort', ports: [{ port: 80, nodePort: 31_000 }] }), { ...lasting, dryRun }),
    );
  const finish = await create(false);
  await expect(create(false)).rejects.toThrow('spec.ports[0].nodePort: Invalid value: 31000: provided port is already');
  finish?.(false);
  await create(true);
  await expect(create(false)).resolves.toBeTypeOf('function');
});

test('an update gives back node ports that are no longer named', async () => {
  const { beginCreate, beginUpdate } = allocation();
  const old = service({ type: 'NodePort', ports: [{ port: 80, nodePort: 31_000 }] });
  await beginCreate?.(old, lasting);
  const changed = structuredClone(old);
  changed.spec = { ...changed.spec, type: 'ClusterIP' };
  const finish = await beginUpdate?.(changed, old, lasting);
  finish?.(true);
  const next = service({ type: 'NodePort', ports: [{ port: 80, nodePort: 31_000 }] }, 'next');
  await expect(Promise.resolve(beginCreate?.(next, lasting))).resolves.toBeTypeOf('function');
});

test('headless services and names of other hosts have no address', async () => {
  const { beginCreate } = allocation();
  const headless = service({ clusterIP: 'None', selector: { app: 'web' } });
  await beginCreate?.(headless, lasting);
  expect(headless.spec).toMatchObject({ clusterIPs: ['None'], ipFamilies: ['IPv4'] });
  const elsewhere = service({ type: 'ExternalName', externalName: 'example.com' });
  await beginCreate?.(elsewhere, lasting);
  expect(elsewhere.spec).toEqual({ type: 'ExternalName', externalName: 'example.com' });
});
