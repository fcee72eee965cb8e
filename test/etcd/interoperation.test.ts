import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { builtInResources } from '../../src/schema/kubernetes/resources.ts';
import { samples } from '../all-resources/objects.ts';
import { ApiClient } from '../api-client.ts';
import { storageMediaTypes } from '../../src/server/config.ts';
import { EtcdProcess, etcdPath } from '../etcd-process.ts';
import { type ReferenceServer, skipWithoutReference, startReference } from '../reference-server.ts';
import { onEtcd, startTestServer, type TestServer } from '../server-fixture.ts';
import { bodyOf, collectionPath, everywherePath, exampleOf, metadataOf, namespace, sameOn } from './examples.ts';

const skip = etcdPath === undefined || skipWithoutReference();

/** What kube-apiserver serves by default. */
const shared = builtInResources().filter(
  ({ storage, group, version, plural }) =>
    storage !== undefined &&
    /^v\d+$/.test(version) &&
    (samples[`${group}/${version}/${plural}`] ?? samples[`${group}/${plural}`]) !== undefined,
);

describe.skipIf(skip).each(storageMediaTypes)(
  skip ? 'kube-apiserver and Binnacle on one etcd (skipped: no etcd or kube-apiserver)' : 'one etcd, %s',
  (mediaType) => {
    let etcd: EtcdProcess;
    let referenceServer: ReferenceServer;
    let server: TestServer;
    let reference: ApiClient;
    let binnacle: ApiClient;

    beforeAll(async () => {
      etcd = await EtcdProcess.start();
      referenceServer = await startReference(etcd.url, [`--storage-media-type=${mediaType}`]);
      reference = await ApiClient.connect(referenceServer);
      server = await startTestServer({}, onEtcd(etcd.url, { mediaType }));
      binnacle = await ApiClient.connect(server);
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
      await bodyOf(reference.send('POST', '/api/v1/namespaces', { body }), 201);
    });

    afterAll(async () => {
      reference?.[Symbol.dispose]();
      binnacle?.[Symbol.dispose]();
      await referenceServer?.[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
      await etcd?.[Symbol.asyncDispose]();
    });

    test.each(shared.map((resource) => ({ path: collectionPath(resource), resource })))(
      '$path',
      async ({ resource }) => {
        const { collection, path, name, object } = exampleOf(resource);
        const { resourceVersion } = metadataOf(await bodyOf(binnacle.send('GET', collection), 200));
        const watchPath = `${collection}?watch=true&fieldSelector=metadata.name%3D${name}&resourceVersion=${String(resourceVersion)}`;
        const [seenHere, seenThere] = [seenBy(binnacle, watchPath), seenBy(reference, watchPath)];

        const created = await bodyOf(reference.send('POST', collection, { body: object }), 201);
        expect(metadataOf(await sameOn(binnacle, reference, path))['uid']).toBe(metadataOf(created)['uid']);

        const patch = {
          body: { metadata: { labels: { from: 'binnacle' } } },
          contentType: 'application/merge-patch+json',
        };
        const patched = await bodyOf(binnacle.send('PATCH', path, patch), 200);
        expect(metadataOf(patched)['labels']).toMatchObject({ from: 'binnacle' });
        expect(metadataOf(await sameOn(reference, binnacle, path))['labels']).toMatchObject({ from: 'binnacle' });
        const back = { ...patch, body: { metadata: { labels: { from: 'kube-apiserver' } } } };
        await bodyOf(reference.send('PATCH', path, back), 200);
        expect(metadataOf(await sameOn(binnacle, reference, path))['labels']).toMatchObject(back.body.metadata.labels);

        await remove(binnacle, path);
        expect((await reference.send('GET', path)).code).toBe(404);
        const changes = await seenHere;
        expect(changes.map(({ type }) => type).join(' ')).toMatch(/^ADDED( MODIFIED){2,} DELETED$/);
        expect(changes).toEqual(await seenThere);

        // And objects created here are readable there.
        await bodyOf(binnacle.send('POST', collection, { body: object }), 201);
        await sameOn(reference, binnacle, path);
        await remove(reference, path);
        expect((await binnacle.send('GET', path)).code).toBe(404);
      },
    );

    test('lists of the objects that kube-apiserver creates are equal', async () => {
      for (const resource of shared) {
        await sameOn(binnacle, reference, everywherePath(resource), ({ items }) => items);
      }
    });
  },
);

/** No controller removes finalizers here, except those of namespaces. */
async function remove(client: ApiClient, path: string): Promise<void> {
  await client.send('DELETE', `${path}?gracePeriodSeconds=0`);
  const contentType = 'application/merge-patch+json';
  for (const until = Date.now() + 10_000; (await client.send('GET', path)).code !== 404; await sleep(50)) {
    expect(Date.now(), `${path} stays`).toBeLessThan(until);
    await client.send('PATCH', path, { body: { metadata: { finalizers: null } }, contentType });
  }
}

async function seenBy(client: ApiClient, path: string): Promise<{ type: string; object: JsonObject }[]> {
  const seen: { type: string; object: JsonObject }[] = [];
  for await (const event of client.watch(path)) {
    seen.push(event);
    if (event.type === 'DELETED' || event.type === 'ERROR') break;
  }
  return seen;
}
