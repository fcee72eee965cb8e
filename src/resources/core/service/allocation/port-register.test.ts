import { afterEach, expect, test } from 'vitest';
import type { KubernetesObject } from '../../../../api/meta/object.ts';
import { UnservedObject, UnservedObjects } from '../../../../registry/stored/unserved-objects.ts';
import { schemaByName } from '../../../../schema/kubernetes/definitions.ts';
import type { Storage } from '../../../../storage/contract.ts';
import { type EmbeddedStorage, openEmbeddedStorage } from '../../../../storage/embedded/engine.ts';
import { StoredPorts } from './port-register.ts';

const key = '/registry/ranges/servicenodeports';
const range = { base: 30_000, size: 100 };
let storage: EmbeddedStorage | undefined;

afterEach(async () => {
  await storage?.[Symbol.asyncDispose]();
  storage = undefined;
});

async function openStorage(): Promise<EmbeddedStorage> {
  storage = await openEmbeddedStorage({ dataDir: undefined });
  return storage;
}

function objectsIn(store: Storage, encoding: 'json' | 'protobuf' = 'json'): UnservedObjects {
  const schema = schemaByName('io.k8s.api.core.v1.RangeAllocation');
  if (schema === undefined) throw new Error('no schema');
  return new UnservedObjects({
    storage: store,
    encoding,
    type: { apiVersion: 'v1', kind: 'RangeAllocation' },
    schema,
  });
}

function portsOf(
  store: Storage,
  services: readonly KubernetesObject[] = [],
  encoding?: 'protobuf',
  unreadable: ReadonlySet<string> = new Set(),
): StoredPorts {
  return new StoredPorts({
    range,
    place: new UnservedObject(objectsIn(store, encoding), key),
    listServices: () => Promise.resolve({ objects: services, unreadable }),
    onError: (error) => {
      throw error;
    },
  });
}

test('two servers on one store allocate every port once', async () => {
  const store = await openStorage();
  const servers = [portsOf(store), portsOf(store, [], 'protobuf')];
  const pending = Array.from({ length: 50 }, () => servers.map((ports) => ports.take([undefined])));
  const responses = await Promise.all(pending.flat());
  const given = responses.flatMap((answer) => ('ports' in answer ? answer.ports : []));
  expect(new Set(given).size).toBe(100);
  expect(await servers[0]?.take([undefined])).toEqual({ index: 0, refusal: 'full' });
});

test('concurrent requests are batched into one write', async () => {
  const store = await openStorage();
  const ports = portsOf(store);
  await ports.take([undefined]);
  const before = await store.currentRevision();
  await Promise.all(Array.from({ length: 40 }, () => ports.take([undefined])));
  expect((await store.currentRevision()) - before).toBeLessThanOrEqual(2);
});

test('a refusal changes nothing', async () => {
  const ports = portsOf(await openStorage());
  expect(await ports.take([30_001, 30_002])).toEqual({ ports: [30_001, 30_002] });
  expect(await ports.take([30_003, 30_002])).toEqual({ index: 1, refusal: 'taken' });
  expect(await ports.take([30_003, 40_000])).toEqual({ index: 1, refusal: 'outside' });
  const isTaken = await ports.taken();
  expect([30_001, 30_002, 30_003].map(isTaken)).toEqual([true, true, false]);
});

test('a port released by another server is free at once', async () => {
  const store = await openStorage();
  const [one, other] = [portsOf(store), portsOf(store)];
  await other.repair();
  expect(await one.take([30_001])).toEqual({ ports: [30_001] });
  await other.release([30_001]);
  expect(await one.take([30_001])).toEqual({ ports: [30_001] });
});

test('ports of stored services are allocated from the start', async () => {
  const service = { apiVersion: 'v1', kind: 'Service', metadata: {}, spec: { ports: [{ port: 1, nodePort: 30_009 }] } };
  const ports = portsOf(await openStorage(), [service]);
  expect(await ports.take([30_009])).toEqual({ index: 0, refusal: 'taken' });
});

test('the object is the same as kube-apiserver’s', async () => {
  const store = await openStorage();
  await portsOf(store, [], 'protobuf').take([30_000, 30_009]);
  const { kv } = await store.get(key);
  // As stored in etcd by kube-apiserver 1.37.1.
  const written =
    'k8s\0\n\x15\n\x02v1\x12\x0fRangeAllocation\x12\x23\n\x10\n\0\x12\0\x1a\0"\0*\x002\x008\0B\0\x12\x0b30000-30099\x1a\x02\x02\x01\x1a\0"\0';
  expect(Buffer.from(kv?.value ?? []).toString('latin1')).toBe(written);
  expect(await objectsIn(store).read(key)).toMatchObject({ object: { range: '30000-30099', data: 'AgE=' } });
});

test('a changed range is repaired', async () => {
  const store = await openStorage();
  await objectsIn(store).replace(key, { range: '20000-20100', data: 'AgE=' }, { expected: 0 });
  const ports = portsOf(store);
  expect(await ports.take([30_005])).toEqual({ ports: [30_005] });
  expect((await objectsIn(store).read(key)).object).toMatchObject({ range: '30000-30099' });
});

test('without a bitmap, nothing is allocated while services cannot be read', async () => {
  const store = await openStorage();
  const sealed = new Set(['default/sealed']);
  await expect(portsOf(store, [], undefined, sealed).take([undefined])).rejects.toThrow(
    'the node ports of services that cannot be read are not known: default/sealed',
  );
  await portsOf(store).repair();
  expect(await portsOf(store, [], undefined, sealed).take([30_001])).toEqual({ ports: [30_001] });
});
