import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { readEnvelope } from '../../src/codec/protobuf/envelope.ts';
import { protobufMark } from '../../src/registry/stored/stored-values.ts';
import { currentRelease } from '../../src/schema/kubernetes/api-enablement.ts';
import { builtInResources } from '../../src/schema/kubernetes/resources.ts';
import type { Resource } from '../../src/schema/resource.ts';
import type { Storage } from '../../src/storage/contract.ts';
import { openEtcdStorage } from '../../src/storage/etcd/engine.ts';
import { ApiClient } from '../api-client.ts';
import { EtcdProcess, etcdPath } from '../etcd-process.ts';
import { skipWithoutReference, startReference } from '../reference-server.ts';
import { onEtcd, startTestServer } from '../server-fixture.ts';
import { bodyOf, everywherePath, type Example, exampleOf, metadataOf, namespace, sameOn } from './examples.ts';

// kube-apiserver chooses the versions it stores by the release that it emulates. It writes an object of every kind
// that it can serve then; Binnacle reads, watches and changes them on the same etcd, as that release and as this one.

const skip = etcdPath === undefined || skipWithoutReference();

interface Emulated {
  readonly release: string;
  readonly gates: readonly string[];
}

/** With the gates of alpha and beta kinds that kube-apiserver starts with. */
const emulated: readonly Emulated[] = [
  { release: '1.34', gates: ['ClusterTrustBundle'] },
  { release: '1.35', gates: ['ClusterTrustBundle', 'GenericWorkload', 'StorageVersionMigrator'] },
  { release: '1.36', gates: ['ClusterTrustBundle', 'GenericWorkload', 'StorageVersionMigrator'] },
  { release: currentRelease, gates: ['AllAlpha', 'AllBeta'] },
];

/** What later samples must not be held to comes last. */
const stored = builtInResources()
  .filter(({ storage }) => storage !== undefined)
  .toSorted((one, other) => Number(one.plural === 'limitranges') - Number(other.plural === 'limitranges'));

/** Both servers on one etcd. */
interface Pair {
  readonly reference: ApiClient;
  readonly binnacle: ApiClient;
}

interface Connected extends AsyncDisposable {
  readonly client: ApiClient;
}

async function connected(
  server: Promise<AsyncDisposable & Parameters<typeof ApiClient.connect>[0]>,
): Promise<Connected> {
  await using opened = new AsyncDisposableStack();
  const client = opened.use(await ApiClient.connect(opened.use(await server)));
  const running = opened.move();
  return { client, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

function connectedReference(etcdUrl: string, { release, gates }: Emulated): Promise<Connected> {
  const flags = [
    ...(release === currentRelease ? [] : [`--emulated-version=${release}`]),
    '--runtime-config=api/all=true',
    `--feature-gates=${gates.map((gate) => `${gate}=true`).join(',')}`,
  ];
  return connected(startReference(etcdUrl, flags));
}

function connectedBinnacle(etcdUrl: string, { release, gates }: Emulated): Promise<Connected> {
  const api = {
    emulatedVersion: release,
    runtimeConfig: new Map([['api/all', true]]),
    featureGates: new Map(gates.map((gate) => [gate, true])),
  };
  const mediaType = 'application/vnd.kubernetes.protobuf';
  return connected(startTestServer(api, onEtcd(etcdUrl, { mediaType }), { config: { controllers: [] } }));
}

async function servedBy(client: ApiClient): Promise<readonly Resource[]> {
  const codes = await Promise.all(stored.map((resource) => client.exchange('GET', everywherePath(resource), {})));
  return stored.filter((_, index) => codes[index]?.code === 200);
}

/** Creates what is missing of the namespace and an object of every served resource. */
async function createExamples(client: ApiClient): Promise<void> {
  await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } });
  for (const resource of await servedBy(client)) {
    const { path, object, collection } = exampleOf(resource);
    if ((await client.send('GET', path)).code === 200) continue;
    await bodyOf(client.send('POST', collection, { body: object }), 201);
  }
}

/** What a dry run of both answers, without what is random or depends on the client's certificate. */
async function compareCreations({ reference, binnacle }: Pair): Promise<void> {
  await bodyOf(reference.send('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } }), 201);
  for (const { collection, object } of (await servedBy(reference)).map(exampleOf)) {
    const answers = [reference, binnacle].map(async (client) => {
      const { code, body } = await client.send('POST', `${collection}?dryRun=All&fieldManager=test`, { body: object });
      const text = JSON.stringify(body, (field, value: unknown) => (random.has(field) ? undefined : value));
      return { code, text: text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|SHA256=[0-9a-f]{64}/g, 'ID') };
    });
    const [there, here] = await Promise.all(answers);
    expect(here, collection).toEqual(there);
  }
}

const random: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'time',
  'timeAdded',
  'clusterIP',
  'clusterIPs',
  'nodePort',
  'lastPhaseTransitionTime',
]);

/** `apps/v1` for each key. */
async function storedVersions(storage: Storage): Promise<ReadonlyMap<string, string>> {
  const { kvs } = await storage.range({ start: '/registry/', end: '/registry0' });
  return new Map(kvs.map(({ key, value }) => [key, versionIn(value)]));
}

function versionIn(value: Uint8Array): string {
  if (protobufMark.equals(value.subarray(0, protobufMark.length))) return readEnvelope(value).apiVersion;
  // The rest is JSON; addresses and ports of services have no version.
  const text = Buffer.from(value).toString();
  return text.startsWith('{') ? (JSON.parse(text) as { readonly apiVersion: string }).apiVersion : '';
}

async function firstEvent(client: ApiClient, { collection, name }: Example): Promise<JsonObject> {
  const selector = encodeURIComponent(`metadata.name=${name}`);
  const path = `${collection}?watch=true&resourceVersion=0&timeoutSeconds=5&fieldSelector=${selector}`;
  for await (const { type, object } of client.watch(path)) return { type, object };
  throw new Error(`no event: ${path}`);
}

async function label(client: ApiClient, { path }: Example, value: string): Promise<void> {
  const body = { metadata: { labels: { by: value } } };
  await bodyOf(client.send('PATCH', path, { body, contentType: 'application/merge-patch+json' }), 200);
}

/** Reads and changes what is stored on both, and compares what they say of it. */
async function compare({ reference, binnacle }: Pair, changed: (step: string) => Promise<void>): Promise<void> {
  const resources = await servedBy(reference);
  expect((await servedBy(binnacle)).map(everywherePath)).toEqual(resources.map(everywherePath));
  const examples = resources.map(exampleOf);
  for (const example of examples) {
    const read = await sameOn(binnacle, reference, example.path);
    await sameOn(binnacle, reference, example.collection, ({ items }) => items);
    expect(await firstEvent(binnacle, example), example.path).toEqual({ type: 'ADDED', object: read });
  }
  for (const [writer, name] of [
    [binnacle, 'binnacle'],
    [reference, 'kube-apiserver'],
  ] as const) {
    for (const example of examples) await label(writer, example, name);
    await changed(name);
    for (const { path } of examples) {
      expect(metadataOf(await sameOn(reference, binnacle, path))['labels']).toMatchObject({ by: name });
    }
  }
}

describe.skipIf(skip).each(emulated)(
  skip ? 'stored versions (skipped: no etcd or kube-apiserver)' : 'objects stored by release $release',
  (row) => {
    let etcd: EtcdProcess;
    let storage: Storage;

    beforeAll(async () => {
      etcd = await EtcdProcess.start();
      const files = { caFile: undefined, certFile: undefined, keyFile: undefined };
      storage = await openEtcdStorage({ servers: [etcd.url], ...files });
    });

    afterAll(async () => {
      await storage?.[Symbol.asyncDispose]();
      await etcd?.[Symbol.asyncDispose]();
    });

    describe('by that release', () => {
      let reference: Connected;

      beforeAll(async () => {
        reference = await connectedReference(etcd.url, row);
      });

      afterAll(() => reference?.[Symbol.asyncDispose]());

      test('would be created alike', async () => {
        await using binnacle = await connectedBinnacle(etcd.url, row);
        await compareCreations({ reference: reference.client, binnacle: binnacle.client });
      });

      test('are served and changed, and it can still read them', async () => {
        await createExamples(reference.client);
        await using binnacle = await connectedBinnacle(etcd.url, row);
        const written = await storedVersions(storage);
        await compare({ reference: reference.client, binnacle: binnacle.client }, async (by) => {
          const now = await storedVersions(storage);
          const others = [...written].filter(([key, version]) => (now.get(key) ?? version) !== version);
          expect(others, `versions that ${by} stores`).toEqual([]);
        });
      });
    });

    // The last one is this release.
    if (row.release === currentRelease) return;
    test('are served and changed by this release', async () => {
      const current = emulated.at(-1) ?? row;
      await using reference = await connectedReference(etcd.url, current);
      await createExamples(reference.client);
      await using binnacle = await connectedBinnacle(etcd.url, current);
      const after: { readonly [key: string]: string }[] = [];
      await compare({ reference: reference.client, binnacle: binnacle.client }, async () => {
        after.push(Object.fromEntries(await storedVersions(storage)));
      });
      const [byBinnacle = {}, byReference] = after;
      expect(byReference).toMatchObject(byBinnacle);
    });
  },
);
