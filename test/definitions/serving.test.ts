import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { define, definitionsPath, group, ship, ships, shipsPath, specSchema, undefine } from './definitions.ts';

let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  client = await ApiClient.connect(server);
});

afterEach(() => undefine(client));

afterAll(async () => {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

const text = { type: 'string' };

test('a definition is served after the time of a few writes', async () => {
  const definition = ships({ versions: [{ name: 'v1', schema: specSchema({}) }] });
  const [served, written]: [number[], number[]] = [[], []];
  for (let round = 0; round < 10; round++) {
    const write = client.send.bind(client, 'POST', '/api/v1/namespaces/default/configmaps');
    written.push(await timeOf(() => write({ body: { metadata: { generateName: 'beside-' } } })));
    const define = async (): Promise<void> => {
      await client.send('POST', definitionsPath, { body: definition });
      while ((await client.sendBytes('GET', shipsPath(), {})).code !== 200);
    };
    served.push(await timeOf(define));
    await undefine(client);
  }
  expect(Math.min(...served)).toBeLessThan(20 * Math.min(...written));
});

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

test('definitions are served after a restart, with their objects', async () => {
  await define(client, ships({ versions: [{ name: 'v1', schema: specSchema({ name: text }) }] }));
  await client.send('POST', shipsPath(), { body: ship('kept', { name: 'a', other: 'b' }) });
  client[Symbol.dispose]();
  await server.restart();
  client = await ApiClient.connect(server);
  expect((await client.send('GET', `${shipsPath()}/kept`)).body['spec']).toEqual({ name: 'a' });
});

test('a default added later applies to stored objects: in reads, lists, watches and selectors', async () => {
  const versions = (properties: object) => [
    { name: 'v1', schema: specSchema(properties), selectableFields: [{ jsonPath: '.spec.name' }] },
  ];
  await define(client, ships({ versions: versions({ name: text }) }));
  await client.send('POST', shipsPath(), { body: ship('old', {}) });
  const body = ships({ versions: versions({ name: { ...text, default: 'nobody' } }) });
  const contentType = 'application/merge-patch+json';
  await client.send('PATCH', `${definitionsPath}/ships.${group}`, { body, contentType });
  const read = async () => (await client.send('GET', `${shipsPath()}/old`)).body['spec'];
  await expect.poll(read).toEqual({ name: 'nobody' });
  const selected = await client.send('GET', `${shipsPath()}?fieldSelector=spec.name%3Dnobody`);
  expect(selected.body['items']).toMatchObject([{ spec: { name: 'nobody' } }]);
  for await (const { object } of client.watch(`${shipsPath()}?watch=1&timeoutSeconds=1&resourceVersion=0`)) {
    expect(object['spec']).toEqual({ name: 'nobody' });
  }
});

test('a status with a default is set on creation', async () => {
  const status = {
    type: 'object',
    default: { phase: 'New' },
    properties: { phase: text, note: { ...text, default: '-' } },
  };
  const schema = { openAPIV3Schema: { type: 'object', properties: { status } } };
  await define(client, ships({ versions: [{ name: 'v1', schema, subresources: { status: {} } }] }));
  const body = { ...ship('fresh', {}), status: { phase: 'Old' } };
  expect((await client.send('POST', shipsPath(), { body })).body['status']).toEqual({ phase: 'New', note: '-' });
  expect((await client.send('GET', `${shipsPath()}/fresh`)).body['status']).toEqual({ phase: 'New', note: '-' });
});

test('a version without a status subresource writes the status with the object', async () => {
  const schema = {
    openAPIV3Schema: { type: 'object', properties: { status: { type: 'object', properties: { phase: text } } } },
  };
  await define(
    client,
    ships({
      versions: [
        { name: 'v1', schema, subresources: { status: {} } },
        { name: 'v2', schema },
      ],
    }),
  );
  const withPhase = (name: string, phase: string, version?: string) => ({
    ...ship(name, {}, version),
    status: { phase },
  });
  const [apart, together] = await Promise.all([
    client.send('POST', shipsPath(), { body: withPhase('apart', 'a') }),
    client.send('POST', shipsPath('v2'), { body: withPhase('together', 'a', 'v2') }),
  ]);
  expect(apart.body['status']).toBeUndefined();
  expect(together.body['status']).toEqual({ phase: 'a' });
  const contentType = 'application/merge-patch+json';
  const patch = (version: string) =>
    client.send('PATCH', `${shipsPath(version)}/together`, { body: { status: { phase: 'b' } }, contentType });
  expect((await patch('v1')).body['status']).toEqual({ phase: 'a' });
  expect((await patch('v2')).body).toMatchObject({ status: { phase: 'b' }, metadata: { generation: 2 } });
});

test('a rule that does not compile, or costs too much, is reported with its path', async () => {
  const items = { type: 'array', items: text };
  const ruled = (schema: object, rule: string): object => ({ ...schema, 'x-kubernetes-validations': [{ rule }] });
  const withRule = (rule: string) =>
    client.send('POST', `${definitionsPath}?dryRun=All`, {
      body: ships({ versions: [{ name: 'v1', schema: specSchema({ items: ruled(items, rule) }) }] }),
    });
  const field = 'spec.validation.openAPIV3Schema.properties[spec].properties[items].x-kubernetes-validations[0].rule';
  expect((await withRule('self.size() > 1')).code).toBe(201);
  expect(await withRule('self.wrong')).toMatchObject({
    code: 422,
    body: { details: { causes: [{ field, reason: 'FieldValueInvalid' }] } },
  });
  const dear = await withRule('self.all(a, self.all(b, a == b))');
  expect(dear).toMatchObject({ code: 422 });
  expect(JSON.stringify(dear.body['details'])).toContain(
    'estimated rule cost exceeds budget by factor of more than 100x',
  );
});

test('what was invalid before its schema may stay, but nothing else becomes invalid', async () => {
  await define(
    client,
    ships({ versions: [{ name: 'v1', schema: specSchema({ name: text, size: { type: 'integer' } }) }] }),
  );
  await client.send('POST', shipsPath(), { body: ship('long', { name: 'too long', size: 1 }) });
  const properties = { name: { ...text, maxLength: 3 }, size: { type: 'integer', maximum: 1 }, later: text };
  const body = ships({
    versions: [{ name: 'v1', schema: specSchema({ ...properties, later: { ...text, default: 'x' } }) }],
  });
  const contentType = 'application/merge-patch+json';
  await client.send('PATCH', `${definitionsPath}/ships.${group}`, { body, contentType });
  const read = async () => (await client.send('GET', `${shipsPath()}/long`)).body['spec'];
  await expect.poll(read).toMatchObject({ later: 'x' });
  const change = (spec: object) => client.send('PATCH', `${shipsPath()}/long`, { body: { spec }, contentType });
  expect((await change({ later: 'y' })).code).toBe(200);
  expect(await change({ size: 2 })).toMatchObject({
    code: 422,
    body: { details: { causes: [{ field: 'spec.size', reason: 'FieldValueInvalid' }] } },
  });
  expect((await change({ name: 'also long' })).code).toBe(422);
});

test('a definition is gone once its instances are, and none can be created meanwhile', async () => {
  await define(client, ships({ versions: [{ name: 'v1', schema: specSchema({}) }] }));
  const held = { ...ship('held', {}), metadata: { name: 'held', finalizers: ['example.com/hold'] } };
  await client.send('POST', shipsPath(), { body: held });
  await client.send('POST', shipsPath(), { body: ship('free', {}) });
  await client.send('DELETE', `${definitionsPath}/ships.${group}`);
  await expect.poll(async () => (await client.send('GET', `${shipsPath()}/free`)).code).toBe(404);
  expect(await client.send('POST', shipsPath(), { body: ship('new', {}) })).toMatchObject({
    code: 403,
    body: {
      message: `ships.${group} "new" is forbidden: create not allowed while custom resource definition is terminating`,
    },
  });
  expect((await client.send('GET', `/apis/${group}/v1`)).body).toMatchObject({
    resources: [{ verbs: ['delete', 'deletecollection', 'get', 'list', 'watch'] }],
  });
  const body = { metadata: { finalizers: null } };
  await client.send('PATCH', `${shipsPath()}/held`, { body, contentType: 'application/merge-patch+json' });
});

test('a definition with an untrustworthy webhook is not established', async () => {
  const clientConfig = {
    url: 'https://127.0.0.1:1/convert',
    caBundle: Buffer.from('no certificate').toString('base64'),
  };
  const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
  const body = ships({ versions: [{ name: 'v1', schema: specSchema({}) }], conversion });
  await client.send('POST', definitionsPath, { body });
  const status = async () => (await client.send('GET', `${definitionsPath}/ships.${group}`)).body['status'];
  await expect.poll(status).toMatchObject({
    conditions: [
      { type: 'NamesAccepted', status: 'True' },
      { type: 'Established', status: 'False', reason: 'InvalidCABundle' },
    ],
  });
});

test('a schema of a mebibyte blocks nothing while it is compiled and used', async () => {
  const wide = Object.fromEntries(
    Array.from({ length: 12_000 }, (_, index) => [`field${index}`, { ...text, maxLength: 9 }]),
  );
  await define(client, ships({ versions: [{ name: 'v1', schema: specSchema(wide) }] }));
  const made = await client.send('POST', shipsPath(), { body: ship('wide', { field7: 'x' }) });
  expect(made.code).toBe(201);
  const refused = await client.send('POST', shipsPath(), { body: ship('wider', { field7: 'much too long' }) });
  expect(refused.code).toBe(422);
});

test.each([
  [500, 201],
  [700, 422],
  [2_000, 422],
])('a schema of %i levels is answered with %i, and nobody fails because of it', async (levels, wanted) => {
  const open = '{"type":"object","properties":{"a":';
  const schema = JSON.parse(`${open.repeat(levels - 1)}{"type":"object"}${'}}'.repeat(levels - 1)}`) as object;
  const body = ships({ versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] });
  expect((await client.send('POST', definitionsPath, { body })).code).toBe(wanted);
  if (wanted !== 201) return;
  const deep = JSON.parse(`${'{"a":'.repeat(levels - 2)}{}${'}'.repeat(levels - 2)}`) as object;
  const object = { ...ship('deep', {}), spec: undefined, a: deep };
  // Until it is served, there is nothing, or what the definition of the test before has left.
  await expect.poll(async () => (await client.send('POST', shipsPath(), { body: object })).code).toBe(201);
  for (const path of ['/openapi/v2', `/openapi/v3/apis/${group}/v1`, `${shipsPath()}/deep`]) {
    expect((await client.sendBytes('GET', path, {})).code, path).toBe(200);
  }
});

test("versions and types of the release are nobody else's", async () => {
  const shadow = (own: string, kind: string, properties: object) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `shadows.${own}`, annotations: { 'api-approved.kubernetes.io': 'unapproved, a test' } },
    spec: {
      group: own,
      scope: 'Cluster',
      names: { plural: 'shadows', kind },
      versions: [{ name: 'v1', served: true, storage: true, schema: specSchema(properties) }],
    },
  });
  const networking = 'networking.k8s.io';
  const types = 'apiextensions.apis.pkg.apiextensions-apiserver.k8s.io';
  const definitions = [shadow(networking, 'Shadow', {}), shadow(types, 'CustomResourceDefinition', { marked: text })];
  for (const body of definitions) expect((await client.send('POST', definitionsPath, { body })).code).toBe(201);
  await expect.poll(async () => (await client.sendBytes('GET', `/apis/${types}/v1/shadows`, {})).code).toBe(200);
  expect((await client.sendBytes('GET', `/apis/${networking}/v1/shadows`, {})).code).toBe(404);
  const { body } = await client.send('GET', '/openapi/v2');
  const schemas = body['definitions'] as { [name: string]: object };
  const name = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition';
  expect(JSON.stringify(schemas[name])).not.toContain('marked');
  expect(JSON.stringify(schemas[`${name}_v2`])).toContain('marked');
  for (const own of [networking, types]) await client.send('DELETE', `${definitionsPath}/shadows.${own}`);
});

test('a definition that is deleted in the foreground waits for its instances alone', async () => {
  await define(client, ships({ versions: [{ name: 'v1', schema: specSchema({}) }] }));
  const held = ship('held', {}) as { metadata: object };
  const body = { ...held, metadata: { ...held.metadata, finalizers: ['example.com/held'] } };
  await client.send('POST', shipsPath(), { body });
  await client.send('DELETE', `${definitionsPath}/ships.${group}?propagationPolicy=Foreground`);
  const { metadata } = (await client.send('GET', `${definitionsPath}/ships.${group}`)).body;
  expect((metadata as { finalizers: string[] }).finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io']);
  const freed = { body: { metadata: { finalizers: null } }, contentType: 'application/merge-patch+json' };
  await client.send('PATCH', `${shipsPath()}/held`, freed);
});
