import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../../src/api/contracts/admission.ts';
import type { JsonObject } from '../../src/api/json/json.ts';
import { forbidden } from '../../src/api/errors/status-errors.ts';
import type { WriteContext } from '../../src/registry/kinds/strategy.ts';
import { builtInWiring, type Wiring } from '../../src/server/wiring.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

const autoscalerV1 = { group: 'autoscaling', version: 'v1', kind: 'HorizontalPodAutoscaler' };

const admitted: { options: JsonObject | null; operation: string; isAgain: boolean; last: unknown }[] = [];

/** Like a webhook for one version: takes the object, changes it and returns it. */
const versioned: AdmissionPlugin = {
  name: 'Versioned',
  operations: new Set(['CREATE', 'UPDATE', 'DELETE']),
  async mutate(attributes, { isAgain, runAgain }) {
    const { resource, operation, options } = attributes;
    if (resource !== 'horizontalpodautoscalers') return;
    const seen = await attributes.inVersion(autoscalerV1);
    const { object } = seen ?? {};
    const spec = (object ?? seen?.oldObject)?.['spec'] as JsonObject;
    admitted.push({ operation, options, isAgain, last: spec['maxReplicas'] });
    if (object === undefined || isAgain) return;
    await attributes.replaceObject({ ...object, spec: { ...spec, targetCPUUtilizationPercentage: 42 } });
    runAgain();
  },
};

/** Runs before the other, and again after that has changed the object. */
const counting: AdmissionPlugin = {
  name: 'Counting',
  operations: new Set(['CREATE', 'UPDATE']),
  mutate({ resource, object }: AdmissionAttributes) {
    if (resource !== 'horizontalpodautoscalers' || object === undefined) return;
    const { annotations = {} } = object.metadata;
    const runs = Number(annotations['runs'] ?? 0) + 1;
    object.metadata.annotations = { ...annotations, runs: String(runs) };
  },
};

/** A kind whose objects grant rights: writing `grants` requires the verb `escalate`. */
async function permit(object: Readonly<JsonObject>, { authorizer, user }: WriteContext): Promise<void> {
  if ((object['data'] as JsonObject | undefined)?.['grants'] === undefined) return;
  const { decision } = await authorizer.authorize({
    user,
    verb: 'escalate',
    isResourceRequest: true,
    path: '',
    group: '',
    version: 'v1',
    resource: 'configmaps',
    subresource: '',
    namespace: '',
    name: '',
  });
  if (decision !== 'allow') throw forbidden({ group: '', resource: 'configmaps' }, 'grant', 'you have less yourself');
}

const wiring: Wiring = {
  ...builtInWiring,
  admissionPlugins: [
    { name: 'Counting', byDefault: 'on', make: () => counting },
    ...builtInWiring.admissionPlugins,
    { name: 'Versioned', byDefault: 'on', make: () => Promise.resolve(versioned) },
  ],
  authorizers: [
    ...builtInWiring.authorizers,
    {
      mode: 'NoEscalation',
      make: () => ({
        async authorize({ verb }) {
          await Promise.resolve();
          return { decision: verb === 'escalate' ? 'deny' : 'no-opinion', reason: '' };
        },
      }),
    },
  ],
  behaviour(options) {
    const behaviourOf = builtInWiring.behaviour(options);
    return (kind) => {
      const behaviour = behaviourOf(kind);
      if (kind.kind !== 'ConfigMap') return behaviour;
      return {
        ...behaviour,
        strategyOf: (stored) => ({
          ...behaviour.strategyOf(stored),
          permitCreate: (object, context) => permit(object as unknown as JsonObject, context),
          permitUpdate: (object, _old, context) => permit(object as unknown as JsonObject, context),
        }),
      };
    };
  },
};

let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  const config = {
    controllers: [],
    authorization: { ...configDefaults.authorization, modes: ['NoEscalation', 'AlwaysAllow'] },
  };
  server = await startTestServer({}, {}, { wiring, config });
  client = await ApiClient.connect(server);
});

afterAll(async () => {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

beforeEach(() => void admitted.splice(0));

const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
const scaleTargetRef = { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' };

const cpu = (averageUtilization: number): JsonObject => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

test('a plugin gets and returns the version it asks for, and reinvocation works', async () => {
  const body = { metadata: { name: 'web' }, spec: { maxReplicas: 3, scaleTargetRef, metrics: [cpu(80)] } };
  const created = await client.send('POST', `${path}?fieldManager=me&fieldValidation=Strict`, { body });
  expect(created).toMatchObject({
    code: 201,
    body: { spec: { metrics: [cpu(42)] }, metadata: { annotations: { runs: '2' } } },
  });
  const options = {
    kind: 'CreateOptions',
    apiVersion: 'meta.k8s.io/v1',
    fieldManager: 'me',
    fieldValidation: 'Strict',
  };
  expect(admitted).toEqual([
    { operation: 'CREATE', options, isAgain: false, last: 3 },
    { operation: 'CREATE', options, isAgain: true, last: 3 },
  ]);
});

test('a plugin gets the options of patches and deletions', async () => {
  const contentType = 'application/merge-patch+json';
  const patch = { spec: { maxReplicas: 4, metrics: [cpu(10)] } };
  const patched = await client.send('PATCH', `${path}/web?dryRun=All`, { body: patch, contentType });
  expect(patched).toMatchObject({ code: 200, body: { spec: { metrics: [cpu(42)] } } });
  const meta = { apiVersion: 'meta.k8s.io/v1' };
  expect(admitted[0]).toEqual({
    operation: 'UPDATE',
    options: { kind: 'UpdateOptions', ...meta, dryRun: ['All'] },
    isAgain: false,
    last: 4,
  });
  admitted.splice(0);
  await client.send('DELETE', `${path}/web`, { body: { gracePeriodSeconds: 0, propagationPolicy: 'Foreground' } });
  const options = { kind: 'DeleteOptions', ...meta, gracePeriodSeconds: 0, propagationPolicy: 'Foreground' };
  // The garbage collector's update follows.
  expect(admitted[0]).toEqual({ operation: 'DELETE', options, isAgain: false, last: 3 });
});

test('a kind asks the authorizer whether its object may be written', async () => {
  const configMaps = '/api/v1/namespaces/default/configmaps';
  // Administrators are not restricted.
  const headers = { 'impersonate-user': 'ann' };
  const of = (data: JsonObject) => ({ headers, body: { metadata: { name: 'grant' }, data } });
  const refusal = { code: 403, body: { message: 'configmaps "grant" is forbidden: you have less yourself' } };
  expect(await client.send('POST', configMaps, of({ grants: 'all' }))).toMatchObject(refusal);
  expect((await client.send('POST', configMaps, of({}))).code).toBe(201);
  expect(await client.send('PUT', `${configMaps}/grant`, of({ grants: 'all' }))).toMatchObject(refusal);
  const applied = { ...of({ grants: 'all' }), contentType: 'application/apply-patch+yaml' };
  const body = { apiVersion: 'v1', kind: 'ConfigMap', ...applied.body };
  const apply = { ...applied, body };
  expect(await client.send('PATCH', `${configMaps}/grant?fieldManager=me`, apply)).toMatchObject(refusal);
  expect((await client.send('PUT', `${configMaps}/grant`, of({ a: 'b' }))).code).toBe(200);
});
