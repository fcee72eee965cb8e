import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/json/json.ts';
import { ApiClient } from '../../api-client.ts';
import type { TestServer } from '../../server-fixture.ts';

const deployments: JsonObject = {
  apiGroups: ['apps'],
  apiVersions: ['v1'],
  resources: ['deployments'],
  operations: ['*'],
};
const rule = (more: JsonObject): JsonObject => ({ resourceRules: [{ ...deployments, ...more }] });
const spec = (expressions: readonly string[], more: JsonObject = {}): JsonObject => ({
  matchConstraints: { resourceRules: [deployments] },
  validations: expressions.map((expression) => ({ expression })),
  ...more,
});

/** Policies whose expressions are checked against the types of what they match. */
const policies: readonly JsonObject[] = [
  spec(['object.spec.replicas > 1', "object.metadata.name != ''"]),
  spec(['object.spec.nothing > 1']),
  spec(['object.nothing == 1', 'object.spec.replicas > 1', "object.spec.replicas == 'a'"]),
  spec(['true'], { validations: [{ expression: 'true', messageExpression: "'a' + object.spec.nothing" }] }),
  spec(['object.spec.nothing > 1'], { matchConstraints: rule({ apiGroups: ['apps', 'batch'], resources: ['*'] }) }),
  spec(['object.spec.nothing > 1'], { matchConstraints: rule({ resources: ['deployments', 'statefulsets', 'pods'] }) }),
  spec(['object.spec.nothing > 1'], { matchConstraints: rule({ resources: ['deployments/scale'] }) }),
  spec(['object.spec.nothing > 1'], { matchConstraints: rule({ apiGroups: ['*'] }) }),
  spec(['object.spec.nothing > 1'], { matchConstraints: rule({ resources: ['nothings'] }) }),
  spec(['object.data.all(k, object.data[k] > 5)'], {
    matchConstraints: rule({ apiGroups: [''], resources: ['configmaps'] }),
  }),
  spec(['params.data.nothing == 1', 'params.nothing == 1'], { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
  spec(['params.nothing == 1'], { paramKind: { apiVersion: 'v1', kind: 'Nothing' } }),
  spec(['variables.a > 1', "variables.b == 'x'"], {
    variables: [
      { name: 'a', expression: 'object.spec.replicas' },
      { name: 'b', expression: 'object.spec.nothing' },
    ],
  }),
  spec(["variables.a == 'x'"], { variables: [{ name: 'a', expression: 'object.spec.replicas' }] }),
  spec(['object.spec.template.spec.containers.all(c, c.nothing == 1)']),
  spec(['object.spec.strategy.rollingUpdate.maxSurge == 1']),
  spec(['object.metadata.creationTimestamp > 5', 'oldObject.spec.nothing == 1']),
  spec([
    'has(object.spec.template.spec.containers[0].resources.limits)',
    'object.spec.template.spec.overhead.size() > 0',
  ]),
  spec(["authorizer.group('').resource('pods').check('get').allowed()"]),
];

const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';

/** The status that each policy gets. */
export async function checkedTypes(server: Pick<TestServer, 'url' | 'kubeconfigPath'>): Promise<readonly JsonValue[]> {
  using client = await ApiClient.connect(server);
  for (const [index, each] of policies.entries()) {
    const { code, body } = await client.send('POST', path, { body: { metadata: { name: `p-${index}` }, spec: each } });
    if (code !== 201) throw new Error(JSON.stringify(body));
  }
  return await Promise.all(policies.map((_, index) => statusOf(client, `p-${index}`)));
}

async function statusOf(client: ApiClient, name: string): Promise<JsonValue> {
  for (const until = Date.now() + 30_000; Date.now() < until; await sleep(100)) {
    const { body } = await client.send('GET', `${path}/${name}`);
    const { status } = body;
    // Names of types are random.
    if (isJsonObject(status) && status['observedGeneration'] !== undefined) {
      return JSON.parse(JSON.stringify(status).replaceAll(/(Deployment|ConfigMap|Params)\d+/g, '$1')) as JsonValue;
    }
  }
  throw new Error(`${name} has no status`);
}
