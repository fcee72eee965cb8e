import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

// /statusz and /flagz, asked for in all ways that the reference answers.

let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  const flags = new Map([
    ['v', '2'],
    ['audit-log-path', ''],
  ]);
  const featureGates = new Map([['CBORServingAndStorage', true]]);
  server = await startTestServer({ featureGates }, {}, { config: { flags } });
  client = await ApiClient.connect(server);
});

afterAll(async () => {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

describe.each(['Statusz', 'Flagz'])('%s', (kind) => {
  const path = `/${kind.toLowerCase()}`;
  const beta = `g=config.k8s.io;v=v1beta1;as=${kind}`;
  const alpha = `g=config.k8s.io;v=v1alpha1;as=${kind}`;

  test.each([
    ['', 200, 'text/plain; charset=utf-8'],
    ['text/plain', 200, 'text/plain; charset=utf-8'],
    ['*/*', 200, 'text/plain; charset=utf-8'],
    [`application/json;v=foo;g=config.k8s.io;as=${kind},*/*`, 200, 'text/plain; charset=utf-8'],
    [`application/json;${beta}`, 200, `application/json;${beta}`],
    [`application/json;${beta},application/json;${alpha}`, 200, `application/json;${beta}`],
    [`application/json;${alpha},application/json;${beta}`, 200, `application/json;${alpha}`],
    [`application/yaml;${beta}`, 200, `application/yaml;${beta}`],
    [`application/cbor;${beta}`, 200, `application/cbor;${beta}`],
    ['application/json', 406, 'application/json'],
    ['application/json;v=v1beta1;g=config.k8s.io', 406, 'application/json'],
    [`text/plain;${beta}`, 406, 'application/json'],
    [`application/vnd.kubernetes.protobuf;${beta}`, 406, 'application/json'],
    ['application/xml', 406, 'application/json'],
  ])('Accept: %s', async (accept, code, contentType) => {
    const answer = await client.exchange('GET', path, { headers: { accept } });
    expect([answer.code, answer.headers['content-type']]).toEqual([code, contentType]);
  });

  test('the older version is deprecated', async () => {
    const answer = await client.send('GET', path, { headers: { accept: `application/json;${alpha}` } });
    const deprecation = `This version of the ${kind.toLowerCase()} endpoint is deprecated. Please use a newer version.`;
    expect(answer.headers['warning']).toBe(`299 - "${deprecation}"`);
    expect(answer.body).toMatchObject({ kind, apiVersion: 'config.k8s.io/v1alpha1', metadata: { name: 'apiserver' } });
  });
});

test('what is told of the process', async () => {
  const accept = 'application/json;g=config.k8s.io;v=v1beta1;as=Statusz';
  const { body } = await client.send('GET', '/statusz', { headers: { accept } });
  expect(body).toMatchObject({
    startTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    uptimeSeconds: expect.any(Number),
    binaryVersion: '1.37.1',
    emulationVersion: '1.37',
    paths: ['/flagz', '/healthz', '/livez', '/metrics', '/readyz', '/statusz', '/version'],
  });
});

test('flags are shown to programs and people', async () => {
  const accept = 'application/json;g=config.k8s.io;v=v1beta1;as=Flagz';
  const { body } = await client.send('GET', '/flagz', { headers: { accept } });
  expect(body).toMatchObject({ flags: { v: '2', 'audit-log-path': '' } });
  const { text } = await client.exchange('GET', '/flagz', { headers: { accept: 'text/plain' } });
  expect(text).toMatch(/^\napiserver flagz\nWarning: [^\n]+\naudit-log-path(: |[:= ])\nv(: |[:= ])2\n$/);
});

test('they are there only with their gates', async () => {
  const featureGates = new Map([
    ['ComponentStatusz', false],
    ['ComponentFlagz', false],
  ]);
  await using closed = await startTestServer({ featureGates });
  using other = await ApiClient.connect(closed);
  for (const path of ['/statusz', '/flagz']) expect((await other.exchange('GET', path, {})).code).toBe(404);
});
