import { typedSource } from '../../src/codec/decode-body.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { cborSerializer } from '../../src/codec/cbor-serializer.ts';
import { encodeCbor } from '../../src/codec/cbor/encode.ts';
import { parseJson } from '../../src/codec/json.ts';
import { decodeObject } from '../../src/schema/decode.ts';
import { encodeJson } from '../../src/schema/encode-json.ts';
import { schemaOfKind } from '../../src/schema/kubernetes/definitions.ts';
import { builtInResources } from '../../src/schema/kubernetes/resources.ts';
import type { Resource } from '../../src/schema/resource.ts';
import { samples } from '../all-resources/objects.ts';
import { ApiClient } from '../api-client.ts';
import { etcdPath, EtcdProcess } from '../etcd-process.ts';
import { type ReferenceServer, skipWithoutReference, startReference } from '../reference-server.ts';
import { cbor } from './cbor-items.ts';

let etcd: EtcdProcess;
let reference: ReferenceServer;
let client: ApiClient;

/** Resources that kube-apiserver serves by default. */
const resources = builtInResources().filter(({ storage, version }) => storage !== undefined && /^v\d+$/.test(version));

function pathOf({ group, version, plural, namespaced }: Resource): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespaced ? `${root}/namespaces/default/${plural}` : `${root}/${plural}`;
}

const uid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const changing: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'time',
  'clusterIP',
  'clusterIPs',
  'resourceVersion',
]);

/** A response without parts that differ between requests. */
function lasting(answer: JsonObject): unknown {
  const text = JSON.stringify(answer, (key, value: unknown) => (changing.has(key) ? undefined : value));
  return JSON.parse(text.replace(uid, 'uid'));
}

describe.skipIf(skipWithoutReference() || etcdPath === undefined)('with kube-apiserver (skipped without one)', () => {
  beforeAll(async () => {
    etcd = await EtcdProcess.start();
    reference = await startReference(etcd.url, ['--feature-gates=CBORServingAndStorage=true']);
    client = await ApiClient.connect(reference);
  });

  afterAll(async () => {
    client?.[Symbol.dispose]();
    await reference?.[Symbol.asyncDispose]();
    await etcd?.[Symbol.asyncDispose]();
  });

  test.each(resources.map((resource) => ({ resource, path: pathOf(resource) })))(
    '$path: each side reads what the other writes',
    async ({ resource, path }) => {
      const { schema, group, version, plural } = resource;
      const sample = samples[`${group}/${version}/${plural}`] ?? samples[`${group}/${plural}`];
      if (sample === undefined) throw new Error(`no sample of ${path}`);
      const body = { ...sample.body, metadata: { name: sample.name ?? 'sample' } };
      const dryRun = `${path}?dryRun=All`;
      const { object } = decodeObject(schema, parseJson(Buffer.from(JSON.stringify(body))));
      const inJson = await client.send('POST', dryRun, { body });
      const inCbor = await client.send('POST', dryRun, { body: encodeCbor(schema, object), contentType: cbor });
      expect(inCbor.code).toBe(inJson.code);
      expect(lasting(inCbor.body)).toEqual(lasting(inJson.body));
      const { body: list } = await client.send('GET', `${path}?limit=3`);
      const { bytes } = await client.bytes(`${path}?limit=3${exactly(list)}`, cbor);
      expect(readList(resource, bytes)).toEqual(list['items']);
    },
  );
});

/** Requests the same state again: the server caches objects. */
function exactly({ metadata }: JsonObject): string {
  const { resourceVersion = '' } = metadata as { readonly resourceVersion?: string };
  return resourceVersion === '' ? '' : `&resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`;
}

/** Decodes the items of a CBOR list by schema. */
function readList({ group, version, listKind }: Resource, bytes: Uint8Array): unknown {
  const schema = schemaOfKind({ group, version, kind: listKind });
  if (schema === undefined) throw new Error(`no ${listKind}`);
  const body = cborSerializer.decode(bytes);
  const { object } = decodeObject(schema, typedSource(schema, body));
  return (JSON.parse(encodeJson(schema, object)) as JsonObject)['items'] ?? [];
}
