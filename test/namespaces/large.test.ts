import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { formatApiVersion } from '../../src/api/meta/group-version.ts';
import type { Resource } from '../../src/schema/resource.ts';
import { samples } from '../all-resources/objects.ts';
import { ApiClient } from '../api-client.ts';
import { inParallel } from '../in-parallel.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { settledObject, untilGone } from '../settled-object.ts';

const objects = 5000;
const namespaces = 1000;
const requestsAtOnce = 32;
/** Every so many-th object is held. */
const heldEvery = 10;
const hold = 'harbor.example/hold';
const customKinds = ['buoys', 'charts', 'docks', 'cranes', 'locks', 'masts', 'piers', 'sails', 'tides', 'tugs'];
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer({ serviceClusterIpRanges: ['10.0.0.0/16'] });
  client = await ApiClient.connect(server);
  for (const plural of customKinds) await define(plural);
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

async function define(plural: string): Promise<void> {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const name = `${plural}.harbor.example`;
  const names = { plural, kind: plural.toUpperCase() };
  const versions = [{ name: 'v1', served: true, storage: true, schema }];
  const spec = { group: 'harbor.example', names, scope: 'Namespaced', versions };
  expect((await client.send('POST', definitions, { body: { metadata: { name }, spec } })).code).toBe(201);
  await settledObject(client, `${definitions}/${name}`);
}

/** Objects of kinds that would limit the others, without limits. */
const unlimited: Readonly<Record<string, JsonObject>> = {
  limitranges: { spec: { limits: [] } },
  resourcequotas: { spec: {} },
};

interface Kind {
  readonly resource: Resource;
  readonly path: string;
  readonly body: JsonObject;
}

function kindsIn(namespace: string): readonly Kind[] {
  return server.catalogue.current
    .storedResources()
    .map(({ resource }) => resource)
    .filter(({ namespaced, verbs }) => namespaced && verbs.includes('delete') && verbs.includes('create'))
    .map((resource) => {
      const { group, version, plural } = resource;
      const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      const sample = samples[`${group}/${version}/${plural}`] ?? samples[`${group}/${plural}`];
      const body = unlimited[plural] ?? sample?.body ?? {};
      return { resource, path: `${root}/namespaces/${namespace}/${plural}`, body };
    })
    .filter(({ resource }) => resource.plural !== 'events');
}

async function conditionsOf(namespace: string): Promise<readonly string[]> {
  const { body } = await client.send('GET', `/api/v1/namespaces/${namespace}`);
  const { conditions = [] } = (body['status'] ?? {}) as {
    conditions?: { type: string; status: string; message: string }[];
  };
  return conditions.map(({ type, status, message }) => `${type} ${status} ${message}`);
}

test(`a namespace with ${objects} objects of all kinds goes away`, { timeout: 120_000 }, async () => {
  const namespace = 'large';
  await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } });
  const kinds = kindsIn(namespace);
  expect(kinds.length).toBeGreaterThanOrEqual(40);
  const each = Math.ceil(objects / kinds.length);
  const held = new Map<string, number>();
  const heldPaths: string[] = [];
  const all = kinds.flatMap((kind) => Array.from({ length: each }, (_, at) => ({ ...kind, at })));
  await inParallel(all, requestsAtOnce, async ({ resource, path, body, at }) => {
    const { group, version, kind, plural } = resource;
    // Pods that are held would keep everything else.
    const isHeld = at % heldEvery === 0 && plural !== 'pods';
    const metadata = { name: `n${at}`, ...(isHeld ? { finalizers: [hold] } : {}) };
    const answer = await client.send('POST', path, {
      body: { apiVersion: formatApiVersion(group, version), kind, ...body, metadata },
    });
    expect(answer.code, `${path}: ${JSON.stringify(answer.body)}`).toBe(201);
    if (!isHeld) return;
    const key = `${plural}.${group}`;
    held.set(key, (held.get(key) ?? 0) + 1);
    heldPaths.push(`${path}/n${at}`);
  });
  expect((await client.send('DELETE', `/api/v1/namespaces/${namespace}`)).code).toBe(200);
  const remaining = [...held].map(([key, count]) => `${key} has ${count} resource instances`).toSorted();
  const expected = [
    'NamespaceDeletionDiscoveryFailure False All resources successfully discovered',
    'NamespaceDeletionGroupVersionParsingFailure False All legacy kube types successfully parsed',
    'NamespaceDeletionContentFailure False All content successfully deleted, may be waiting on finalization',
    `NamespaceContentRemaining True Some resources are remaining: ${remaining.join(', ')}`,
    `NamespaceFinalizersRemaining True Some content in the namespace has finalizers remaining: ${hold} in ${heldPaths.length} resource instances`,
  ];
  await expect.poll(() => conditionsOf(namespace), { timeout: 60_000 }).toEqual(expected);
  const patch = { body: { metadata: { finalizers: null } }, contentType: 'application/merge-patch+json' };
  await inParallel(heldPaths, requestsAtOnce, async (path) =>
    expect((await client.send('PATCH', path, patch)).code).toBe(200),
  );
  await untilGone(client, `/api/v1/namespaces/${namespace}`);
});

test(`${namespaces} namespaces that are deleted at once go away`, { timeout: 120_000 }, async () => {
  const names = Array.from({ length: namespaces }, (_, at) => `many-${at}`);
  await inParallel(names, requestsAtOnce, async (name) => {
    await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name } } });
    const body = { metadata: { name: 'a' } };
    for (const plural of ['configmaps', 'secrets']) {
      const answer = await client.send('POST', `/api/v1/namespaces/${name}/${plural}`, { body });
      expect(answer.code).toBe(201);
    }
  });
  await inParallel(names, requestsAtOnce, async (name) => {
    expect((await client.send('DELETE', `/api/v1/namespaces/${name}`)).code).toBe(200);
  });
  const many = async (): Promise<number> => {
    const { body } = await client.send('GET', '/api/v1/namespaces');
    return (body['items'] as { metadata: { name: string } }[]).filter(({ metadata: { name } }) =>
      name.startsWith('many-'),
    ).length;
  };
  await expect.poll(many, { timeout: 60_000, interval: 100 }).toBe(0);
});
