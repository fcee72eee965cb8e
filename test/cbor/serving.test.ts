import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { ApiClient, type ApiResponse } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { apply, cbor, read, sequence, write } from './cbor-items.ts';

const path = '/api/v1/namespaces/default/configmaps';
const meta = 'g=meta.k8s.io;v=v1';
const count = 400;
let server: TestServer;
let client: ApiClient;

async function start(withCbor: boolean): Promise<void> {
  server = await startTestServer({ featureGates: new Map([['CBORServingAndStorage', withCbor]]) });
  client = await ApiClient.connect(server);
}

async function stop(): Promise<void> {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
}

function send(method: string, target: string, body: JsonObject | Uint8Array, contentType = cbor): Promise<ApiResponse> {
  return client.send(method, target, { body: body instanceof Uint8Array ? body : write(body), contentType });
}

function namesOf({ items }: JsonObject): readonly unknown[] {
  return (items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
}

describe('with the gate CBORServingAndStorage', () => {
  beforeAll(async () => {
    await start(true);
    const data = { text: 'x'.repeat(3000) };
    for (let index = 0; index < count; index += 1) {
      const made = await send('POST', path, { metadata: { name: `c${index}`, labels: { app: 'a' } }, data });
      expect(made.code).toBe(201);
    }
  });

  afterAll(stop);

  test('an object is the same as in JSON', async () => {
    const { contentType, bytes } = await client.bytes(`${path}/c1`, `${cbor},application/json`);
    expect(contentType).toBe(cbor);
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from('d9d9f7', 'hex'));
    const { body } = await client.send('GET', `${path}/c1`);
    expect(read(bytes)).toEqual(body);
  });

  test('secrets contain byte strings', async () => {
    const secrets = '/api/v1/namespaces/default/secrets';
    const data = Buffer.from('d9d9f7a24464617461a14161d643000102486d65746164617461a1446e616d654173', 'hex');
    expect((await send('POST', secrets, data)).body).toMatchObject({ metadata: { name: 's' }, data: { a: 'AAEC' } });
    const { bytes } = await client.bytes(`${secrets}/s`, cbor);
    expect(bytes.includes(Buffer.from('d643000102', 'hex'))).toBe(true);
  });

  test('a list of several chunks, and the pages of a list', async () => {
    const { bytes } = await client.bytes(path, cbor);
    const { body } = await client.send('GET', path);
    expect(bytes.length).toBeGreaterThan(1024 * 1024);
    expect(read(bytes)).toEqual(body);
    const page = read((await client.bytes(`${path}?limit=7`, cbor)).bytes);
    expect(namesOf(page)).toEqual(namesOf(body).slice(0, 7));
    expect(page['metadata']).toMatchObject({ remainingItemCount: Number(namesOf(body).length) - 7 });
    const none = read((await client.bytes(`${path}?labelSelector=none`, cbor)).bytes);
    expect(none).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1', items: [] });
  });

  test('another version of a list', async () => {
    const target = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
    expect(read((await client.bytes(target, cbor)).bytes)).toMatchObject({
      kind: 'HorizontalPodAutoscalerList',
      apiVersion: 'autoscaling/v1',
    });
  });

  test('only metadata; the reference has no Table in CBOR', async () => {
    const one = read((await client.bytes(`${path}/c1`, `${cbor};as=PartialObjectMetadata;${meta}`)).bytes);
    expect(one).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'c1', labels: { app: 'a' } } });
    expect(one['data']).toBeUndefined();
    const list = read((await client.bytes(`${path}?limit=3`, `${cbor};as=PartialObjectMetadataList;${meta}`)).bytes);
    expect(namesOf(list)).toHaveLength(3);
    const refused = await client.bytes(`${path}/c1`, `${cbor};as=Table;${meta}`);
    expect(refused.bytes.toString()).toContain('only the following media types are accepted');
    const other = await client.bytes(`${path}/c1`, `${cbor};as=Table;${meta},application/json;as=Table;${meta}`);
    expect(JSON.parse(other.bytes.toString())).toMatchObject({ kind: 'Table' });
  });

  test('a Status, and discovery documents', async () => {
    const missing = read((await client.bytes(`${path}/none`, cbor)).bytes);
    expect(missing).toMatchObject({ kind: 'Status', reason: 'NotFound', code: 404, details: { name: 'none' } });
    expect(read((await client.bytes('/apis', cbor)).bytes)['groups']).not.toHaveLength(0);
    expect(read((await client.bytes('/api/v1', cbor)).bytes)['resources']).not.toHaveLength(0);
    const aggregated = `${cbor};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`;
    const found = await client.bytes('/apis', aggregated);
    expect(found.contentType).toBe(aggregated);
    expect(read(found.bytes)['kind']).toBe('APIGroupDiscoveryList');
  });

  test('a watch is a sequence of events', async () => {
    const watch = `${path}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dc1`;
    const { contentType, bytes } = await client.bytes(watch, cbor);
    expect(contentType).toBe('application/cbor-seq');
    const { body } = await client.send('GET', `${path}/c1`);
    expect(sequence(bytes)).toEqual([{ type: 'ADDED', object: body }]);
    const old = await client.bytes(`${path}?watch=true&timeoutSeconds=1&resourceVersion=1`, cbor);
    for (const event of sequence(old.bytes)) expect(['ADDED', 'ERROR']).toContain(event['type']);
    const state = `${path}?watch=true&timeoutSeconds=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`;
    const events = sequence((await client.bytes(state, `${cbor};as=PartialObjectMetadata;${meta}`)).bytes);
    expect(events.map(({ type }) => type)).toEqual([...Array.from({ length: count }, () => 'ADDED'), 'BOOKMARK']);
  });

  test('applies, DeleteOptions, scales and evictions', async () => {
    const applied = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'applied' }, data: { a: 'b' } };
    const target = `${path}/applied?fieldManager=test`;
    expect((await send('PATCH', target, applied, apply)).code).toBe(201);
    const changed = await send('PATCH', target, { ...applied, data: { c: 'd' } }, apply);
    expect(changed.body).toMatchObject({ data: { c: 'd' }, metadata: { managedFields: [{ manager: 'test' }] } });
    const gone = await send('DELETE', `${path}/applied`, { preconditions: { uid: 'other' } });
    expect(gone.code).toBe(409);
    expect((await send('DELETE', `${path}/applied`, { gracePeriodSeconds: 0 })).code).toBe(200);

    const apps = '/apis/apps/v1/namespaces/default/deployments';
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await send('POST', apps, { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } });
    const scale = await send('PUT', `${apps}/d/scale`, { metadata: { name: 'd' }, spec: { replicas: 3 } });
    expect(scale.body).toMatchObject({ kind: 'Scale', spec: { replicas: 3 } });
    const pods = '/api/v1/namespaces/default/pods';
    await send('POST', pods, { metadata: { name: 'p' }, spec: template.spec });
    expect((await send('POST', `${pods}/p/eviction`, { metadata: { name: 'p' } })).code).toBe(201);
  });

  test('invalid bodies are refused with the reference’s messages', async () => {
    const strict = `${path}?fieldValidation=Strict`;
    const unknown = { metadata: { name: 'u' }, unknown: 1 };
    const cases: readonly (readonly [string, JsonObject | Uint8Array, string])[] = [
      [path, Buffer.from('a1', 'hex'), 'determine group/version/kind: unexpected EOF (a1)'],
      [
        path,
        { metadata: { name: 1 } },
        'unmarshal positive integer into Go struct field v1.ConfigMap.metadata of type',
      ],
      [path, { apiVersion: 'a/' }, "Object 'apiVersion' is missing in '55799({'apiVersion': 'a/'})'"],
      [strict, unknown, 'strict decoding error: cbor: found unknown field at map element index 0'],
    ];
    for (const [target, body, message] of cases) {
      const answer = await send('POST', target, body);
      expect(answer.code).toBe(400);
      expect(answer.body['message']).toContain(message);
    }
    const options = await send('DELETE', `${path}/c1`, { kind: 'Foo' });
    expect(options.body['message']).toContain('no kind "Foo" is registered for version "meta.k8s.io/v1"');
    const warned = await send('POST', `${path}?dryRun=All`, unknown);
    expect(warned.headers['warning']).toContain('cbor: found unknown field at map element index 0');
  });

  test('lists of accepted media types', async () => {
    const accepted =
      'application/json, application/yaml, application/vnd.kubernetes.protobuf, application/cbor, ' +
      'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch, application/cbor-seq';
    expect((await client.bytes(path, 'text/plain')).bytes.toString()).toContain(`representations: ${accepted}"`);
    const { code, body } = await send('POST', path, {}, 'text/plain');
    expect(code).toBe(415);
    expect(body['message']).toMatch(/include: .*protobuf, application\/cbor$/);
  });
});

describe('without the gate', () => {
  beforeAll(() => start(false));
  afterAll(stop);

  test('CBOR is unavailable', async () => {
    const refused = JSON.parse((await client.bytes(path, cbor)).bytes.toString()) as JsonObject;
    expect(refused).toMatchObject({ code: 406, reason: 'NotAcceptable' });
    expect(refused['message']).not.toContain('cbor');
    expect((await send('POST', path, {})).code).toBe(415);
    expect((await send('PATCH', `${path}/a?fieldManager=a`, {}, apply)).body).toMatchObject({
      code: 415,
      message: '415: Unsupported Media Type',
    });
  });
});
