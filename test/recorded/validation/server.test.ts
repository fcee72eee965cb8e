import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../src/api/json/json.ts';
import type { KubernetesObject } from '../../../src/api/meta/object.ts';
import { type Recorded, recordResponse, type RecordedKind, recordedMutation } from './answer.ts';
import { type FeatureGates, mutated } from './case.ts';
import { readKinds, recordedSets } from './recorded-kinds.ts';
import { collectionPath, namespace, withoutServerFields } from './requests.ts';
import { ApiClient } from '../../api-client.ts';
import { startTestServer, type TestServer } from '../../server-fixture.ts';
import { settledObject } from '../../settled-object.ts';

// The reference's responses to whole requests: code, reason, message and causes of refusals, the object of successes.

/** Only replayed against validation: recorded without objects and messages, or with every gate and API on. */
const partial: readonly string[] = ['recorded', 'gated-kinds', 'declared-kinds', 'swept-kinds'];
const kinds = recordedSets
  .filter((set) => !partial.includes(set))
  .flatMap(readKinds)
  // Objects that no server accepts cannot be updated.
  .filter(({ head }) => head.planted !== true);

/** By the feature gates that the reference had. */
const byGates = Map.groupBy(kinds, ({ head }) => JSON.stringify(head.gates ?? {}));

/** Beyond those served by default. */
const served = ['resource.k8s.io/v1beta1', 'resource.k8s.io/v1beta2'];

let server: TestServer;
let client: ApiClient;

async function start(gates: FeatureGates): Promise<void> {
  // They write to objects, which the reference's recordings do not show.
  const writing = [
    'validatingadmissionpolicy-status-controller',
    'storage-version-migrator-controller',
    'ttl-controller',
  ];
  const controllers = ['*', ...writing.map((name) => `-${name}`)];
  const runtimeConfig = new Map(served.map((version) => [version, true] as const));
  server = await startTestServer(
    { runtimeConfig, featureGates: new Map(Object.entries(gates)) },
    {},
    { config: { controllers } },
  );
  client = await ApiClient.connect(server);
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await client.send('POST', '/api/v1/namespaces', { body });
}

async function stop(): Promise<void> {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
}

/** Stores the object as in the reference, including its status. */
async function store(
  { base, created, prepared }: RecordedKind['head'],
  path: string,
  name: string,
): Promise<JsonObject> {
  const first = prepared === undefined ? base : (created ?? base);
  await client.send('POST', path, { body: mutated(withoutServerFields(first), { 'metadata.name': name }) });
  const body = await settledObject(client, `${path}/${name}`);
  expect(body['kind'], JSON.stringify(body)).toBe(base['kind']);
  let stored = body;
  for (const [subresource, mutation] of prepared ?? []) {
    const target = subresource === '' ? `${path}/${name}` : `${path}/${name}/${subresource}`;
    const answer = await client.send('PUT', target, { body: mutated(stored, recordedMutation(mutation)) });
    expect(answer.code, JSON.stringify(answer.body)).toBe(200);
    stored = answer.body;
  }
  const { status } = base;
  if (status === undefined || prepared !== undefined) return stored;
  return (await client.send('PUT', `${path}/${name}/status`, { body: { ...body, status } })).body;
}

function replays({ head, cases }: RecordedKind): void {
  // Stored objects have metadata.
  const { name = '', namespace: inNamespace } = (head.base as unknown as KubernetesObject).metadata;
  const path = collectionPath(head.resource, inNamespace === undefined);
  describe(`${head.resource} ${name}`, () => {
    let stored: JsonObject;
    beforeAll(async () => {
      stored = await store(head, path, name);
    });
    for (const entry of cases) {
      const [operation, shown] = entry;
      it.concurrent(`${operation} ${JSON.stringify(shown).slice(0, 150)}`, async () => {
        const mutation = recordedMutation(shown);
        const isCreate = operation === 'create';
        const base = isCreate ? (head.created ?? withoutServerFields(head.base)) : stored;
        const subresource = ['create', 'update'].includes(operation) ? '' : `/${operation}`;
        const answer = await client.send(
          isCreate ? 'POST' : 'PUT',
          `${isCreate ? path : `${path}/${name}${subresource}`}?dryRun=All`,
          { body: mutated(base, mutation) },
        );
        // The client joins repeated headers.
        const warnings = String(answer.headers['warning'] ?? '')
          .split(/, (?=299 - )/)
          .filter((text) => text !== '');
        const ours: Recorded = recordResponse(operation, mutation, { ...answer, warnings });
        expect(ours).toEqual(entry);
      });
    }
  });
}

for (const [gates, recorded] of byGates) {
  describe(`with the gates ${gates}`, () => {
    // Recorded gates.
    beforeAll(() => start(JSON.parse(gates) as FeatureGates));
    afterAll(stop);
    for (const each of recorded) replays(each);
  });
}
