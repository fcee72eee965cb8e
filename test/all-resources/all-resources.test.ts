import { typedSource } from '../../src/codec/decode-body.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatApiVersion } from '../../src/api/meta/group-version.ts';
import type { JsonObject } from '../../src/api/json/json.ts';
import { cborSerializer } from '../../src/codec/cbor-serializer.ts';
import { decodeProtobuf } from '../../src/codec/protobuf/decode.ts';
import { readEnvelope } from '../../src/codec/protobuf/envelope.ts';
import { decodeObject, decodePlain } from '../../src/schema/decode.ts';
import { encodeJson } from '../../src/schema/encode-json.ts';
import { currentRelease, isRemoved } from '../../src/schema/kubernetes/api-enablement.ts';
import { builtInResources } from '../../src/schema/kubernetes/resources.ts';
import type { Resource } from '../../src/schema/resource.ts';
import { ApiClient, type ApiResponse, type WatchEvent } from '../api-client.ts';
import { asAlone, startTestServer, type TestServer, withoutAccounts } from '../server-fixture.ts';
import { settledObject, settles, untilGone } from '../settled-object.ts';
import { samples, type Sample } from './objects.ts';
import { ruleHolds, writeRules } from './write-rules.ts';

const namespace = 'e2e';
const stored = builtInResources().filter(
  (resource) => resource.storage !== undefined && !isRemoved(resource, currentRelease),
);
const keyOf = ({ group, version, plural }: Resource): string => `${group}/${version}/${plural}`;

let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  // Only this test changes objects; the finalizer of pod groups is removed by a controller of kube-controller-manager.
  const disablePlugins = ['ServiceAccount', 'PodGroupProtection'];
  const controllers = [...(asAlone.controllers ?? []), 'persistentvolumeclaim-protection-controller'];
  const config = { controllers, admission: { ...withoutAccounts, disablePlugins } };
  const featureGates = new Map([
    ['AllAlpha', true],
    ['AllBeta', true],
  ]);
  server = await startTestServer({ runtimeConfig: new Map([['api/all', true]]), featureGates }, {}, { config });
  client = await ApiClient.connect(server);
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await expectCode(client.send('POST', '/api/v1/namespaces', { body }), 201);
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

function sampleOf({ group, version, plural }: Resource): Sample {
  const sample = samples[`${group}/${version}/${plural}`] ?? samples[`${group}/${plural}`];
  if (sample === undefined) throw new Error(`no sample of ${plural}.${group}`);
  return sample;
}

function collectionPath({ group, version, plural, namespaced }: Resource): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespaced ? `${root}/namespaces/${namespace}/${plural}` : `${root}/${plural}`;
}

async function expectCode(answer: Promise<ApiResponse>, code: number): Promise<JsonObject> {
  const { code: found, body } = await answer;
  expect(found, JSON.stringify(body)).toBe(code);
  return body;
}

function metadataOf(object: JsonObject): { readonly [field: string]: unknown } {
  // All these objects have metadata.
  return object['metadata'] as JsonObject;
}

function fromProtobuf({ schema }: Resource, bytes: Uint8Array): unknown {
  const { apiVersion, kind, raw } = readEnvelope(bytes);
  const message = { ...decodeProtobuf(schema, raw), apiVersion, kind };
  return JSON.parse(encodeJson(schema, decodePlain(schema, message).object));
}

function fromCbor({ schema }: Resource, bytes: Uint8Array): unknown {
  const body = cborSerializer.decode(bytes);
  expect(body.strictErrors).toEqual([]);
  return JSON.parse(encodeJson(schema, decodeObject(schema, typedSource(schema, body)).object));
}

/** Event types up to DELETED, and the labels of the last state. */
async function followUntilDeleted(events: AsyncGenerator<WatchEvent>): Promise<{ types: string[]; last: JsonObject }> {
  const types: string[] = [];
  for await (const { type, object } of events) {
    types.push(type);
    if (type === 'DELETED' || type === 'ERROR') return { types, last: object };
  }
  throw new Error(`the watch ended after ${types.join(', ')}`);
}

describe.each(stored.map((resource) => ({ key: keyOf(resource), resource })))('$key', ({ resource }) => {
  test('is created, read, updated, patched, watched and deleted', async () => {
    const { kind } = resource;
    const { name = 'sample', body } = sampleOf(resource);
    const collection = collectionPath(resource);
    const path = `${collection}/${name}`;
    const apiVersion = formatApiVersion(resource.group, resource.version);
    const { resourceVersion } = metadataOf(await expectCode(client.send('GET', collection), 200));
    const watchPath = `${collection}?watch=true&fieldSelector=metadata.name%3D${name}&resourceVersion=${String(resourceVersion)}`;
    const followed = followUntilDeleted(client.watch(watchPath));

    const object = { apiVersion, kind, metadata: { name }, ...body };
    const created = await expectCode(client.send('POST', collection, { body: object }), 201);
    expect(created).toMatchObject({ apiVersion, kind, metadata: { name } });
    expect(created).toMatchObject(body);

    const read = await settledObject(client, path);
    if (settles(kind)) expect(read['spec']).toEqual(created['spec']);
    else expect(read).toEqual(created);
    const { bytes } = await client.bytes(path, 'application/vnd.kubernetes.protobuf');
    expect(fromProtobuf(resource, bytes)).toEqual(read);
    expect(fromCbor(resource, (await client.bytes(path, cborSerializer.mediaType)).bytes)).toEqual(read);
    const listed = await expectCode(client.send('GET', collection), 200);
    expect(listed).toMatchObject({ kind: resource.listKind, apiVersion });

    const labelled = { ...read, metadata: { ...metadataOf(read), labels: { put: 'yes' } } };
    const put = await expectCode(client.send('PUT', path, { body: labelled }), 200);
    expect(metadataOf(put)).toMatchObject({ labels: { put: 'yes' }, uid: metadataOf(created)['uid'] });

    for (const patch of ['merge', 'strategic-merge']) {
      const request = {
        body: { metadata: { labels: { [patch]: 'yes' } } },
        contentType: `application/${patch}-patch+json`,
      };
      await expectCode(client.send('PATCH', path, request), 200);
    }
    const patched = await expectCode(client.send('GET', path), 200);
    expect(metadataOf(patched)['labels']).toMatchObject({ put: 'yes', merge: 'yes', 'strategic-merge': 'yes' });

    await expectCode(client.send('DELETE', `${path}?propagationPolicy=Background`), 200);
    const { types, last } = await followed;
    expect(types.filter((type, index) => type !== types[index - 1])).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    expect(last).toMatchObject({ apiVersion, kind });
    expect(metadataOf(last)['labels']).toEqual(metadataOf(patched)['labels']);
    await expectCode(client.send('GET', path), 404);
  });
});

describe.each(
  stored
    .filter(({ subresources }) => subresources.some(({ name }) => name === 'status'))
    .map((resource) => ({ key: keyOf(resource), resource })),
)('the status of $key', ({ resource }) => {
  test('writes labels to the object and its managedFields, or to neither', async () => {
    const { name = 'sample', body } = sampleOf(resource);
    const collection = collectionPath(resource);
    const object = { apiVersion: formatApiVersion(resource.group, resource.version), kind: resource.kind };
    await expectCode(client.send('POST', collection, { body: { ...object, metadata: { name }, ...body } }), 201);
    const path = `${collection}/${name}/status`;
    const patch = { body: { metadata: { labels: { patched: 'yes' } } }, contentType: 'application/merge-patch+json' };
    const labels = metadataOf(await expectCode(client.send('PATCH', path, patch), 200))['labels'];
    const applied = {
      body: { ...object, metadata: { name, labels: { applied: 'yes' } } },
      contentType: 'application/apply-patch+yaml',
    };
    const after = await expectCode(client.send('PATCH', `${path}?fieldManager=applier&force=true`, applied), 200);
    const owned = JSON.stringify(metadataOf(after)['managedFields'] ?? []).includes('"f:applied"');
    const through = ruleHolds(writeRules.labelsThroughStatus, resource);
    expect({ patched: labels !== undefined, owned }).toEqual({ patched: through, owned: through });
    await expectCode(client.send('DELETE', `${collection}/${name}?propagationPolicy=Background`), 200);
    await untilGone(client, `${collection}/${name}`);
  });
});

test.each(stored.filter((resource) => ruleHolds(writeRules.versionRequired, resource)).map(keyOf))(
  'updates of %s require a resourceVersion',
  async (key) => {
    const { read, path } = await createdSample(key);
    const { resourceVersion: _, ...metadata } = metadataOf(read);
    const { body } = await client.send('PUT', path, { body: { ...read, metadata: { ...metadata } as JsonObject } });
    expect(body).toMatchObject({ code: 422, details: { causes: [{ field: 'metadata.resourceVersion' }] } });
    await expectCode(client.send('DELETE', path), 200);
    await untilGone(client, path);
  },
);

test.each(stored.filter((resource) => ruleHolds(writeRules.deletedReturned, resource)).map(keyOf))(
  'deletions of %s return the object',
  async (key) => {
    const { read, path } = await createdSample(key);
    const deleted = await expectCode(client.send('DELETE', path), 200);
    expect(deleted).toMatchObject({ kind: read['kind'] });
  },
);

async function createdSample(key: string): Promise<{ read: JsonObject; path: string }> {
  const resource = stored.find((each) => keyOf(each) === key);
  if (resource === undefined) throw new Error(key);
  const { name = 'sample', body } = sampleOf(resource);
  const collection = collectionPath(resource);
  const object = { apiVersion: formatApiVersion(resource.group, resource.version), kind: resource.kind };
  await expectCode(client.send('POST', collection, { body: { ...object, metadata: { name }, ...body } }), 201);
  const path = `${collection}/${name}`;
  return { read: await settledObject(client, path), path };
}

test('every sample is for an existing resource', () => {
  const used = new Set(stored.flatMap((resource) => [keyOf(resource), `${resource.group}/${resource.plural}`]));
  expect(Object.keys(samples).filter((key) => !used.has(key))).toEqual([]);
});
