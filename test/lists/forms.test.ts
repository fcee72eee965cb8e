import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { decodeProtobuf } from '../../src/codec/protobuf/decode.ts';
import { readEnvelope } from '../../src/codec/protobuf/envelope.ts';
import { schemaOfKind } from '../../src/schema/kubernetes/definitions.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

// Converted lists are streamed; indented for people, the same lists are built as a whole.

const json = 'application/json';
const protobuf = 'application/vnd.kubernetes.protobuf';
const meta = 'g=meta.k8s.io;v=v1';
const count = 150;
/** Stored as autoscaling/v2. */
const scalers = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
const configMaps = '/api/v1/namespaces/default/configmaps';

let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  client = await ApiClient.connect(server);
  const annotations = { text: 'x'.repeat(3000) };
  for (let index = 0; index < count; index += 1) {
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    const spec = { scaleTargetRef, maxReplicas: index + 1, targetCPUUtilizationPercentage: 50 };
    await client.send('POST', scalers, { body: { metadata: { name: `s${index}`, annotations }, spec } });
    await client.send('POST', configMaps, { body: { metadata: { name: `c${index}`, annotations } } });
  }
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

/** Removes ages, which keep changing. */
function parsed(text: Buffer): JsonObject {
  return JSON.parse(text.toString().replaceAll(/"\d+[smh](\d+s)?"/g, '"<age>"')) as JsonObject;
}

test.each([
  ['another version', scalers, json],
  ['another version, a page', `${scalers}?limit=7`, json],
  ['Table', configMaps, `${json};as=Table;${meta}`],
  ['Table with nothing', `${configMaps}?includeObject=None`, `${json};as=Table;${meta}`],
  ['Table with objects', `${scalers}?includeObject=Object`, `${json};as=Table;g=meta.k8s.io;v=v1beta1`],
  ['Table of nothing', `${configMaps}?labelSelector=no=one`, `${json};as=Table;${meta}`],
  ['Table of rows that depend on one another', '/apis/storage.k8s.io/v1/storageclasses', `${json};as=Table;${meta}`],
  ['partial metadata', scalers, `${json};as=PartialObjectMetadataList;${meta}`],
  ['partial metadata, a page', `${configMaps}?limit=2`, `${json};as=PartialObjectMetadataList;${meta}`],
  ['partial metadata of nothing', `${configMaps}?labelSelector=no=one`, `${json};as=PartialObjectMetadataList;${meta}`],
])('%s is the same in chunks and as a whole', async (_, path, accept) => {
  const chunked = await client.bytes(path, accept);
  const whole = await client.bytes(`${path}${path.includes('?') ? '&' : '?'}pretty=1`, accept);
  expect(chunked.bytes.length).toBeLessThan(whole.bytes.length);
  // Page tokens are the same at the same revision.
  expect(parsed(chunked.bytes)).toEqual(parsed(whole.bytes));
});

test.each([
  ['another version', scalers, 'autoscaling', 'HorizontalPodAutoscalerList', ''],
  ['stored bytes', configMaps, '', 'ConfigMapList', ''],
  ['partial metadata', configMaps, 'meta.k8s.io', 'PartialObjectMetadataList', `;as=PartialObjectMetadataList;${meta}`],
])('%s in protobuf is the same as in JSON', async (_, path, group, kind, as) => {
  const schema = schemaOfKind({ group, version: 'v1', kind });
  if (schema === undefined) throw new Error(`no ${kind}`);
  const { bytes } = await client.bytes(path, protobuf + as);
  const { raw, ...named } = readEnvelope(bytes);
  const inJson = parsed((await client.bytes(path, json + as)).bytes);
  expect(named.kind).toBe(inJson['kind']);
  expect(named.apiVersion).toBe(inJson['apiVersion']);
  const items = (from: JsonObject): string[] =>
    (from['items'] as JsonObject[]).map(({ metadata, spec, data }) => JSON.stringify([metadata, spec, data]));
  const decoded = decodeProtobuf(schema, raw);
  expect(items(decoded)).toHaveLength(count);
  expect(new Set(items(decoded).map((item) => canonical(item)))).toEqual(
    new Set(items(inJson).map((item) => canonical(item))),
  );
});

test('metadata is that of the storage version, without conversion annotations', async () => {
  const metrics = [
    { type: 'Pods', pods: { metric: { name: 'q' }, target: { type: 'AverageValue', averageValue: '3' } } },
  ];
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  const body = {
    metadata: { name: 'kept', annotations: { own: 'yes' } },
    spec: { scaleTargetRef, maxReplicas: 3, metrics },
  };
  expect((await client.send('POST', scalers.replace('/v1/', '/v2/'), { body })).code).toBe(201);
  const whole = parsed((await client.bytes(`${scalers}/kept`, json)).bytes);
  expect(annotationsOf(whole)).toEqual(['autoscaling.alpha.kubernetes.io/metrics', 'own']);
  const alone = `${json};as=PartialObjectMetadata;${meta}`;
  expect(annotationsOf(parsed((await client.bytes(`${scalers}/kept`, alone)).bytes))).toEqual(['own']);
  const selected = `${scalers}?fieldSelector=metadata.name=kept`;
  const list = parsed((await client.bytes(selected, `${json};as=PartialObjectMetadataList;${meta}`)).bytes);
  expect((list['items'] as JsonObject[]).map(annotationsOf)).toEqual([['own']]);
  const event = parsed((await client.bytes(`${selected}&watch=1&timeoutSeconds=1`, alone)).bytes);
  expect(annotationsOf(event['object'] as JsonObject)).toEqual(['own']);
});

function annotationsOf({ metadata }: JsonObject): readonly string[] {
  return Object.keys((metadata as { annotations: JsonObject }).annotations).toSorted();
}

function canonical(text: string): string {
  const sorted = (_key: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return JSON.stringify(JSON.parse(text), sorted);
}
