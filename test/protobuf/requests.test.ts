import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { protobuf, read, write } from './messages.ts';

// Requests and responses in protobuf, for every kind of body. Codes and messages are those of kube-apiserver 1.37.1.

const core = '/api/v1/namespaces/default';
const deployment = '/apis/apps/v1/namespaces/default/deployments/d';
let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  client = await ApiClient.connect(server);
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  await client.send('POST', `${core}/pods`, { body: { metadata: { name: 'p' }, spec } });
  const template = { metadata: { labels: { a: 'b' } }, spec };
  await client.send('POST', deployment.slice(0, -2), {
    body: { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } },
  });
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

async function send(
  method: string,
  path: string,
  object: JsonObject & { readonly apiVersion: string; readonly kind: string },
): Promise<{ readonly code: number; readonly object: JsonObject }> {
  const headers = { accept: protobuf, 'content-type': protobuf };
  const { code, bytes } = await client.sendBytes(method, path, headers, write(object));
  return { code, object: read(bytes) };
}

const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } };

test('objects are created, replaced and refused', async () => {
  expect(await send('POST', `${core}/configmaps`, { ...map, data: { a: '1' } })).toMatchObject({
    code: 201,
    object: { ...map, data: { a: '1' } },
  });
  expect(await send('PUT', `${core}/configmaps/m`, { ...map, data: { a: '2' } })).toMatchObject({
    code: 200,
    object: { ...map, data: { a: '2' } },
  });
  expect(await send('POST', `${core}/configmaps`, map)).toMatchObject({
    code: 409,
    object: { kind: 'Status', message: 'configmaps "m" already exists', details: { name: 'm', kind: 'configmaps' } },
  });
});

test('statuses and scales', async () => {
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' } };
  expect(await send('PUT', `${deployment}/scale`, { ...scale, spec: { replicas: 5 } })).toMatchObject({
    code: 200,
    object: { ...scale, spec: { replicas: 5 } },
  });
  const named = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' } };
  expect(await send('PUT', `${deployment}/status`, { ...named, status: { observedGeneration: 1 } })).toMatchObject({
    code: 200,
    object: { ...named, spec: { replicas: 5 }, status: { observedGeneration: 1 } },
  });
});

test('bindings and evictions', async () => {
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } };
  expect(await send('POST', `${core}/pods/p/binding`, binding)).toMatchObject({
    code: 201,
    object: { kind: 'Status', status: 'Success' },
  });
  expect(await send('POST', `${core}/pods/p/binding`, binding)).toMatchObject({
    code: 409,
    object: {
      message: 'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n"',
    },
  });
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };
  const deleteOptions = { gracePeriodSeconds: 0 };
  expect(await send('POST', `${core}/pods/p/eviction`, { ...eviction, deleteOptions })).toMatchObject({ code: 201 });
  expect(await send('POST', `${core}/pods/p/eviction`, eviction)).toMatchObject({ code: 404 });
});

test('reviews', async () => {
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview' };
  const spec = { resourceAttributes: { verb: 'get', resource: 'pods' } };
  expect(
    await send('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { ...review, spec }),
  ).toMatchObject({ code: 201, object: { ...review, spec, status: { allowed: true } } });
});

test('DeleteOptions', async () => {
  const options = { apiVersion: 'v1', kind: 'DeleteOptions' };
  await send('POST', `${core}/configmaps`, { ...map, metadata: { name: 'gone' } });
  const gone = `${core}/configmaps/gone`;
  expect(await send('DELETE', gone, { ...options, propagationPolicy: 'Nope' })).toMatchObject({ code: 422 });
  expect(await send('DELETE', gone, { ...options, preconditions: { uid: 'other' } })).toMatchObject({ code: 409 });
  expect(await send('DELETE', gone, { apiVersion: 'v1', kind: 'Pod', spec: {} })).toMatchObject({
    code: 400,
    object: { message: 'no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"' },
  });
  expect(await send('DELETE', gone, { ...options, kind: 'CreateOptions' })).toMatchObject({
    code: 400,
    object: { message: 'converting (v1.CreateOptions) to (v1.DeleteOptions): unknown conversion' },
  });
  expect(await send('DELETE', gone, { ...options, dryRun: ['All'] })).toMatchObject({ code: 200 });
  expect(await send('DELETE', gone, { ...options, apiVersion: 'policy/v1' })).toMatchObject({
    code: 200,
    object: { kind: 'Status', status: 'Success' },
  });
});

test('invalid patches and unsupported bodies', async () => {
  expect(await send('PATCH', `${core}/configmaps/m`, map)).toMatchObject({ code: 415 });
  const unknown = { 'content-type': 'application/foo' };
  expect(await client.sendBytes('POST', `${core}/configmaps`, unknown, write(map))).toMatchObject({ code: 415 });
  const table = { accept: `${protobuf};as=Table;g=meta.k8s.io;v=v1` };
  expect(await client.sendBytes('GET', `${core}/configmaps/m`, table)).toMatchObject({ code: 406 });
});
