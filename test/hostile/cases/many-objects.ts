import type { JsonObject } from '../../../src/api/json/json.ts';
import type { HostileCase } from '../hostile-case.ts';
import type { HostileClient, HostileRequest } from '../hostile-client.ts';
import { conversionMisdeeds } from '../hook-misdeeds.ts';
import { hookServer } from '../hook-server.ts';
import { configMap, namespaced } from '../text-bodies.ts';
import { admission, chosen, put, rule } from './hooks.ts';

const atATime = 50;

/** Makes objects that an earlier case may have left. */
export async function create(
  client: HostileClient,
  count: number,
  request: (index: number) => HostileRequest,
): Promise<void> {
  for (let first = 0; first < count; first += atATime) {
    const group = Array.from({ length: Math.min(atATime, count - first) }, (_, index) => request(first + index));
    for (const { code, text } of await Promise.all(group.map((each) => client.send(each)))) {
      if (code !== 201 && code !== 409) throw new Error(`answered ${code}: ${text.slice(0, 300)}`);
    }
  }
}

const policies = `${admission}/validatingadmissionpolicies`;
const bindings = `${admission}/validatingadmissionpolicybindings`;

const apiVersion = 'admissionregistration.k8s.io/v1';

function policyOfParams(validations: number): JsonObject {
  return {
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'params' },
    spec: {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConstraints: { resourceRules: [rule], objectSelector: { matchLabels: chosen } },
      validations: Array.from({ length: validations }, (_, index) => ({
        expression: `params.data.a != "${index}" && object.data.all(key, key != params.data.a)`,
      })),
    },
  };
}

function bindingToParams(matchLabels: JsonObject): JsonObject {
  return {
    apiVersion,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'params' },
    spec: {
      policyName: 'params',
      validationActions: ['Deny'],
      paramRef: { namespace: 'default', selector: { matchLabels }, parameterNotFoundAction: 'Deny' },
    },
  };
}

/** A policy that is evaluated once for each of its parameters. */
function paramsCase(params: number, validations: number): HostileCase {
  const label = { params: String(params) };
  return {
    name: `policy: ${validations} validations with each of ${params} parameters`,
    bodyBytes: 1_000_000,
    boundMs: 20,
    codes: [201],
    async prepare(client) {
      await create(client, params, (index) => ({
        path: namespaced('configmaps'),
        body: JSON.stringify(configMap({ data: { a: 'a' } }, { name: `param-${params}-${index}`, labels: label })),
      }));
      await put(client, policies, policyOfParams(validations), 'params');
      await put(client, bindings, bindingToParams(label), 'params');
    },
    async send(client) {
      const body = JSON.stringify(configMap({ data: { b: 'b' } }, { name: 'judged', labels: chosen }));
      const path = `${namespaced('configmaps')}?dryRun=All`;
      const replies = await Promise.all(Array.from({ length: 3 }, () => client.send({ path, body })));
      await client.send({ method: 'DELETE', path: `${bindings}/params` });
      await client.send({ method: 'DELETE', path: `${policies}/params` });
      return replies;
    },
  };
}

const group = 'hostile.x.io';
const things = `things.${group}`;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Objects of v1 that are listed in v2, which a webhook makes of them. */
function conversionCase(misdeed: string, objects: number): HostileCase {
  return {
    name: `conversion: ${objects} objects, ${misdeed}`,
    // What the webhook is sent and may answer.
    bodyBytes: objects * 4_000,
    long: objects > 1_000,
    boundMs: 100,
    codes: [200, 500, 504],
    async prepare(client) {
      const hooks = await hookServer();
      const { url, authority } = hooks;
      await hooks.choose('the objects');
      const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
      const clientConfig = { url: `${url}/convert/current`, caBundle: Buffer.from(authority).toString('base64') };
      const definition = {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: things },
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural: 'things', kind: 'Thing' },
          versions: ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema })),
          conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } },
        },
      };
      await client.send({ path: definitions, body: JSON.stringify(definition) });
      const path = `/apis/${group}/v1/namespaces/default/things`;
      while ((await client.send({ method: 'GET', path: `${path}?limit=1` })).code !== 200);
      await create(client, objects, (index) => ({
        path,
        body: JSON.stringify({ apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: `t${index}` } }),
      }));
      await hooks.choose(misdeed);
    },
    async send(client) {
      const path = `/apis/${group}/v2/namespaces/default/things?timeout=5s&limit=${objects}`;
      return [await client.send({ method: 'GET', path })];
    },
  };
}

/** Thousands of objects that a policy or a webhook is asked about. */
export const manyObjectCases: readonly HostileCase[] = [
  paramsCase(500, 3),
  paramsCase(5_000, 3),
  ...[...conversionMisdeeds.keys()].flatMap((misdeed) => [
    conversionCase(misdeed, 1_000),
    conversionCase(misdeed, 10_000),
  ]),
];
