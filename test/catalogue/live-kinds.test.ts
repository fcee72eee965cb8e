import { once } from 'node:events';
import { connect } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { KindEntry } from '../../src/catalogue/kind-entry.ts';
import { type ApiResponse, ApiClient, type WatchEvent } from '../api-client.ts';
import { adminTls, startTestServer, type TestServer } from '../server-fixture.ts';
import { buoys } from './buoys.ts';

/* Kinds are added, changed and removed while requests and watches run. */

const base = '/apis/harbor.example.com';
const collection = `${base}/v1/namespaces/default/buoys`;
const earlier = `${base}/v1beta1/namespaces/default/buoys`;
const configMaps = '/api/v1/namespaces/default/configmaps';
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const notFoundPage = '404 page not found\n';

let server: TestServer;
let client: ApiClient;
/** The entry added last. */
let current: KindEntry | undefined;

beforeAll(async () => {
  server = await startTestServer();
  client = await ApiClient.connect(server);
});

afterEach(() => replace(undefined));

afterAll(async () => {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

function replace(next: KindEntry | undefined): void {
  const change = { remove: current === undefined ? [] : [current], add: next === undefined ? [] : [next] };
  current = next;
  server.catalogue.change(change);
}

function buoy(name: string, spec: object = { place: 'north' }): object {
  return { apiVersion: 'harbor.example.com/v1', kind: 'Buoy', metadata: { name }, spec };
}

function post(name: string): Promise<ApiResponse> {
  return client.send('POST', collection, { body: buoy(name) });
}

/** Collects the events of a watch until it ends. */
function follow(path: string, until?: AbortSignal): { readonly events: WatchEvent[]; readonly ended: Promise<void> } {
  const events: WatchEvent[] = [];
  const watch = async (): Promise<void> => {
    for await (const event of client.watch(path, until)) events.push(event);
  };
  return { events, ended: watch() };
}

async function latestVersion(path: string): Promise<string> {
  const { body } = await client.send('GET', path);
  return (body['metadata'] as { resourceVersion: string }).resourceVersion;
}

test('a new kind has all verbs, in all served versions', async () => {
  replace(buoys({ served: ['v1', 'v1beta1'] }));
  const made = await post('verbs');
  expect(made).toMatchObject({ code: 201, body: { kind: 'Buoy', spec: { place: 'north' } } });
  const watch = follow(`${collection}?watch=true&timeoutSeconds=1&resourceVersion=${await latestVersion(collection)}`);
  const path = `${earlier}/verbs`;
  expect((await client.send('GET', path)).body).toMatchObject({ spec: { position: 'north' } });
  const patch = { body: { spec: { position: 'south' } }, contentType: 'application/merge-patch+json' };
  expect((await client.send('PATCH', path, patch)).code).toBe(200);
  const applied = { body: buoy('verbs', { depth: 4 }), contentType: 'application/apply-patch+yaml' };
  expect(await client.send('PATCH', `${collection}/verbs?fieldManager=harbor`, applied)).toMatchObject({
    code: 200,
    body: { spec: { place: 'south', depth: 4 } },
  });
  expect((await client.send('GET', `${base}/v1beta1/buoys`)).body['items']).toMatchObject([
    { kind: 'Buoy', apiVersion: 'harbor.example.com/v1beta1', spec: { position: 'south', depth: 4 } },
  ]);
  expect((await client.send('DELETE', `${collection}/verbs`)).code).toBe(200);
  await watch.ended;
  expect(watch.events.map(({ type }) => type)).toEqual(['MODIFIED', 'MODIFIED', 'DELETED']);
  // Neither known but unserved nor unknown kinds have paths.
  const paths = ['/v1alpha1', '/v1alpha1/buoys', '/v1/anchors', '/v9/buoys', '/v1/buoys/verbs'];
  for (const other of paths) expect(await client.text(base + other), other).toBe(notFoundPage);
  expect((await client.send('GET', `${collection}/verbs/mooring`)).body).toMatchObject({
    reason: 'NotFound',
    message: 'buoys.harbor.example.com "verbs" not found',
  });
});

test('an external kind is validated, converted and printed by its definition, with warnings', async () => {
  replace(buoys({ served: ['v1', 'v1beta1'] }));
  expect(await client.send('POST', collection, { body: buoy('flying', { depth: -1 }) })).toMatchObject({
    code: 422,
    body: { details: { causes: [{ reason: 'FieldValueInvalid', field: 'spec.depth' }] } },
  });
  const deep = await client.send('POST', collection, { body: buoy('deep', { place: 'trench', depth: 101 }) });
  expect(deep).toMatchObject({ code: 201, headers: { warning: '299 - "spec.depth: no chain is that long"' } });
  const table = await client.bytes(collection, 'application/json;as=Table;g=meta.k8s.io;v=v1');
  expect(JSON.parse(table.bytes.toString())).toMatchObject({
    columnDefinitions: [{ name: 'Name' }, { name: 'Place' }],
    rows: [{ cells: ['deep', 'trench'] }],
  });
  expect((await client.send('GET', `${earlier}/deep`)).body).toMatchObject({ spec: { position: 'trench' } });
  expect((await client.send('DELETE', `${collection}/deep`)).code).toBe(200);
  replace(undefined);
  expect(await client.text(collection)).toBe(notFoundPage);
});

test('an object stored in a version no longer served still converts', async () => {
  replace(buoys({ served: ['v1', 'v1beta1'] }));
  expect((await post('kept')).code).toBe(201);
  replace(buoys({ served: ['v1beta1'] }));
  expect(await client.text(`${collection}/kept`)).toBe(notFoundPage);
  expect((await client.send('GET', `${earlier}/kept`)).body).toMatchObject({ spec: { position: 'north' } });
  expect((await client.send('DELETE', `${earlier}/kept`)).code).toBe(200);
});

test('discovery shows what is served, and rebuilds only what has changed', async () => {
  const groups = async (): Promise<{ etag: unknown; names: string[]; last: unknown }> => {
    const { headers, bytes } = await client.bytes('/apis', aggregated);
    const { items } = JSON.parse(bytes.toString()) as { items: { metadata: { name: string } }[] };
    return { etag: headers['etag'], names: items.map(({ metadata }) => metadata.name), last: items.at(-1) };
  };
  const before = await groups();
  replace(buoys({ served: ['v1', 'v1beta1'], shortNames: ['by'] }));
  const during = await groups();
  // Custom groups come after built-in ones.
  expect(during.names).toEqual([...before.names, 'harbor.example.com']);
  expect(during.etag).not.toBe(before.etag);
  const responseKind = { group: 'harbor.example.com', version: 'v1', kind: 'Buoy' };
  expect(during.last).toMatchObject({
    versions: [
      { version: 'v1', freshness: 'Current', resources: [{ resource: 'buoys', responseKind }] },
      { version: 'v1beta1', freshness: 'Current' },
    ],
  });
  const unchanged = await client.sendBytes('GET', '/apis', {
    accept: aggregated,
    'if-none-match': String(during.etag),
  });
  expect(unchanged.code).toBe(304);
  const legacy = (await client.send('GET', '/apis')).body['groups'] as { name: string; versions: object[] }[];
  expect(legacy.at(-1)).toMatchObject({
    name: 'harbor.example.com',
    versions: [{ version: 'v1' }, { version: 'v1beta1' }],
  });
  const list = await client.send('GET', `${base}/v1`);
  expect(list.body).toMatchObject({ resources: [{ name: 'buoys', kind: 'Buoy', shortNames: ['by'] }] });
  expect((await client.send('GET', '/')).body['paths']).toContain(`${base}/v1beta1`);

  replace(buoys({ served: ['v1'] }));
  expect((await groups()).etag).not.toBe(during.etag);
  expect(await client.text(`${base}/v1beta1`)).toBe(notFoundPage);

  replace(undefined);
  expect(await groups()).toEqual(before);
  expect(await client.text(base)).toBe(notFoundPage);
});

test('OpenAPI includes a kind while it is served, and keeps the documents of others', async () => {
  const index = async (): Promise<{ [name: string]: unknown }> =>
    (await client.send('GET', '/openapi/v3')).body['paths'] as { [name: string]: unknown };
  const before = await index();
  replace(buoys({ served: ['v1'] }));
  const { 'apis/harbor.example.com/v1': version, ...others } = await index();
  expect(version).toBeDefined();
  expect(others).toEqual(before);
  const { body } = await client.send('GET', '/openapi/v3/apis/harbor.example.com/v1');
  expect(Object.keys(body['paths'] as object)).toContain(`${base}/v1/namespaces/{namespace}/buoys/{name}`);
  expect(body['components']).toMatchObject({
    schemas: {
      'com.example.harbor.v1.Buoy': {
        properties: { spec: { properties: { place: { type: 'string' } } } },
        'x-kubernetes-group-version-kind': [{ group: 'harbor.example.com', version: 'v1', kind: 'Buoy' }],
      },
      'com.example.harbor.v1.BuoyList': { required: ['items'] },
    },
  });
  expect((await client.send('GET', '/openapi/v2')).body['definitions']).toHaveProperty(['com.example.harbor.v1.Buoy']);
  replace(undefined);
  expect(await index()).toEqual(before);
  expect((await client.send('GET', '/openapi/v2')).body['definitions']).not.toHaveProperty([
    'com.example.harbor.v1.Buoy',
  ]);
});

test('removing a kind ends its watches after the last event, and no others', async () => {
  replace(buoys({ served: ['v1'] }));
  const stop = new AbortController();
  const others = follow(`${configMaps}?watch=true&resourceVersion=${await latestVersion(configMaps)}`, stop.signal);
  const events = follow(`${collection}?watch=true&resourceVersion=${await latestVersion(collection)}`);
  await post('last');
  await client.send('DELETE', `${collection}/last`);
  replace(undefined);
  await events.ended;
  expect(events.events.map(({ type }) => type)).toEqual(['ADDED', 'DELETED']);
  expect(await client.text(collection)).toBe(notFoundPage);
  const path = `${configMaps}/witness`;
  await client.send('POST', configMaps, { body: { metadata: { name: 'witness' } } });
  await expect.poll(() => others.events).toMatchObject([{ type: 'ADDED', object: { metadata: { name: 'witness' } } }]);
  await client.send('DELETE', path);
  stop.abort();
  await expect(others.ended).rejects.toThrow(/abort/);
});

test('a watch continues in the store of a replaced kind after a restart', async () => {
  replace(buoys({ served: ['v1'] }));
  const version = await latestVersion(collection);
  const before = follow(`${collection}?watch=true&resourceVersion=${version}`);
  await post('replaced');
  replace(buoys({ served: ['v1'], shortNames: ['by'] }));
  await before.ended;
  await client.send('DELETE', `${collection}/replaced`);
  const after = follow(`${collection}?watch=true&timeoutSeconds=1&resourceVersion=${version}`);
  await after.ended;
  expect([...before.events, ...after.events].map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'DELETED']);
});

test('bodies of such a kind are refused for other kinds, whose server does not know it', async () => {
  replace(buoys({ served: ['v1'] }));
  const { code, body } = await client.send('POST', configMaps, { body: buoy('stray') });
  const message = 'no kind "Buoy" is registered for version "harbor.example.com/v1" in scheme';
  expect({ code, message: body['message'] }).toEqual({
    code: 400,
    message: expect.stringContaining(message) as unknown,
  });
});

test('no watch ends when only the discovery information of a kind changes', async () => {
  const runsAs = {};
  replace({ ...buoys({ served: ['v1'] }), runsAs });
  const watch = follow(`${collection}?watch=true&timeoutSeconds=1&resourceVersion=${await latestVersion(collection)}`);
  await post('told');
  replace({ ...buoys({ served: ['v1'], shortNames: ['by'] }), runsAs });
  expect((await client.send('GET', `${base}/v1`)).body).toMatchObject({ resources: [{ shortNames: ['by'] }] });
  await client.send('DELETE', `${collection}/told`);
  await watch.ended;
  expect(watch.events.map(({ type }) => type)).toEqual(['ADDED', 'DELETED']);
});

test('deleting a namespace deletes objects of such kinds', async () => {
  replace(buoys({ served: ['v1beta1'] }));
  const namespace = '/api/v1/namespaces/harbor';
  await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'harbor' } } });
  const apiVersion = 'harbor.example.com/v1beta1';
  const body = { apiVersion, kind: 'Buoy', metadata: { name: 'inside' }, spec: { position: 'north' } };
  expect((await client.send('POST', `${base}/v1beta1/namespaces/harbor/buoys`, { body })).code).toBe(201);
  await client.send('DELETE', namespace);
  await expect.poll(async () => (await client.send('GET', namespace)).code, { timeout: 10_000 }).toBe(404);
  expect((await client.send('GET', `${base}/v1beta1/buoys`)).body['items']).toEqual([]);
});

test('a request finishes on the kind it started with', async () => {
  replace(buoys({ served: ['v1'] }));
  const session = connect(server.url, await adminTls(server.kubeconfigPath));
  const stream = session.request({ ':method': 'POST', ':path': collection, 'content-type': 'application/json' });
  const text = JSON.stringify(buoy('begun'));
  stream.write(text.slice(0, 20));
  // The response shows that the server has processed everything before it on the connection.
  const ping = session.request({ ':path': '/version' });
  await once(ping, 'response');
  replace(undefined);
  expect(await client.text(collection)).toBe(notFoundPage);
  stream.end(text.slice(20));
  const [headers] = (await once(stream, 'response')) as [{ ':status': number }];
  expect(headers[':status']).toBe(201);
  session.destroy();
  replace(buoys({ served: ['v1'] }));
  expect((await client.send('DELETE', `${collection}/begun`)).code).toBe(200);
});

test('objects without a protobuf form are not available in it', async () => {
  replace(buoys({ served: ['v1'] }));
  const accept = 'application/vnd.kubernetes.protobuf';
  for (const path of [collection, `${collection}/none`]) {
    const { code, bytes } = await client.sendBytes('GET', path, { accept });
    expect(code).toBe(406);
    expect(bytes.toString()).toContain('only the following media types are accepted: application/json');
  }
  const either = await client.bytes(collection, `${accept},application/json`);
  expect(either.contentType).toBe('application/json');
  const partial = `${accept};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1`;
  expect((await client.sendBytes('GET', collection, { accept: partial })).code).toBe(200);
});

test('metrics include the cache of a kind as long as it exists', async () => {
  const series = async (): Promise<string[]> =>
    (await client.text('/metrics')).split('\n').filter((line) => line.includes('harbor.example.com'));
  replace(buoys({ served: ['v1'] }));
  await latestVersion(`${collection}?resourceVersion=0`);
  expect(await series()).toContainEqual(
    expect.stringMatching(/^apiserver_watch_cache_initializations_total{.*buoys.*} 1$/),
  );
  replace(undefined);
  await expect.poll(series).not.toContainEqual(expect.stringMatching(/^apiserver_watch_cache/));
  // Requests served before stay counted.
  expect(await series()).toContainEqual(expect.stringMatching(/^apiserver_request_total{.*buoys/));
});

test('under load every request gets an object or a plain 404, while kinds come, change and go', async () => {
  const stop = new AbortController();
  const seen = new Set<number | string>();
  const note = ({ code, bytes }: { readonly code: number; readonly bytes: Buffer }): void => {
    seen.add(code === 404 ? bytes.toString() : code);
  };
  const json = { 'content-type': 'application/json' };
  const work = async (worker: number): Promise<void> => {
    for (let count = 0; !stop.signal.aborted; count += 1) {
      const name = `load-${worker}-${count}`;
      note(await client.sendBytes('POST', collection, json, Buffer.from(JSON.stringify(buoy(name)))));
      note(await client.sendBytes('GET', `${collection}?limit=10&labelSelector=a%21%3Db`, {}));
      note(await client.sendBytes('GET', `${collection}?watch=true&timeoutSeconds=1`, {}));
    }
  };
  const workers = [0, 1, 2, 3].map(work);
  for (let round = 0; round < 60; round += 1) {
    replace(round % 3 === 2 ? undefined : buoys({ served: ['v1'], shortNames: [`b${round}`] }));
    await sleep(25);
  }
  stop.abort();
  replace(undefined);
  await Promise.all(workers);
  expect([...seen].toSorted()).toEqual([200, 201, notFoundPage]);
});
