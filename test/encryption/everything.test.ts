import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { openEtcdStorage } from '../../src/storage/etcd/engine.ts';
import { ApiClient } from '../api-client.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { onEtcd, startTestServer } from '../server-fixture.ts';
import { configuration, key } from './configurations.ts';

// What kube-apiserver 1.37.1 encrypts for `*.*`: every resource, but not what servers keep for themselves.
const plain = ['masterleases', 'peerserverleases', 'ranges'];

describeWithEtcd('everything is encrypted', () => {
  test('apart from what is no resource', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-everything-'));
    await using etcd = await EtcdProcess.start({ args: ['--unsafe-no-fsync'] });
    const configFile = join(folder, 'encryption.json');
    await writeFile(configFile, configuration(['*.*'], [{ aescbc: { keys: [{ name: 'k', secret: key(3) }] } }]));
    const encryption = { configFile, automaticReload: false };
    const gates = { featureGates: new Map([['UnknownVersionInteroperabilityProxy', true]]) };
    await using server = await startTestServer(gates, { ...onEtcd(etcd.url), encryption });
    using client = await ApiClient.connect(server);
    const spec = { type: 'NodePort', ports: [{ port: 1 }] };
    const service = { body: { metadata: { name: 'one' }, spec } };
    expect((await client.send('POST', '/api/v1/namespaces/default/services', service)).code).toBe(201);
    await using storage = await openEtcdStorage({ ...configDefaults.storage.etcd, servers: [etcd.url] });
    const { kvs } = await storage.range({ start: '/registry/', end: '/registry0' });
    const folders = (isSealed: boolean): readonly string[] => {
      const found = kvs.filter(
        ({ value }) => Buffer.from(value).toString('latin1').startsWith('k8s:enc:') === isSealed,
      );
      return [...new Set(found.map(({ key: stored }) => stored.split('/')[2] ?? ''))].toSorted();
    };
    expect(folders(false).filter((name) => !plain.includes(name))).toEqual([]);
    expect(folders(false)).toContain('ranges');
    expect(folders(true)).toEqual(expect.arrayContaining(['ipaddresses', 'servicecidrs', 'services', 'leases']));
    await rm(folder, { recursive: true });
  }, 60_000);
});
