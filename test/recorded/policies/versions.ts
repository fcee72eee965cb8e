import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/json/json.ts';
import { ApiClient } from '../../api-client.ts';
import { send } from '../../case-objects.ts';
import type { PlayOptions } from '../../policies/play.ts';

const group = 'admissionregistration.k8s.io';
const versions = ['v1', 'v1beta1', 'v1alpha1'];
export const olderVersions: readonly string[] = [`${group}/v1beta1`, `${group}/v1alpha1`];

/** Releases to emulate, with and without the versions of policies that have to be enabled. */
export const emulations = ['1.34', '1.35', '1.36', '1.37'].flatMap((release) =>
  [false, true].map((older) => ({ name: `${release}${older ? ' with older versions' : ''}`, release, older })),
);

const matchConstraints = {
  resourceRules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
};
const kinds = [
  {
    kind: 'MutatingAdmissionPolicy',
    specOf: (version: string): JsonObject => ({
      reinvocationPolicy: 'Never',
      mutations: [
        {
          patchType: 'ApplyConfiguration',
          applyConfiguration: { expression: `Object{data: {"${version}": "is applied"}}` },
        },
      ],
    }),
    bindingSpec: {},
  },
  {
    kind: 'ValidatingAdmissionPolicy',
    specOf: (version: string): JsonObject => ({ validations: [{ expression: 'false', message: version }] }),
    bindingSpec: { validationActions: ['Warn'] },
  },
];

/** What a server says of each version of policies, and what they do to a write. */
export async function playVersions({ server, settleMs }: PlayOptions): Promise<JsonObject> {
  using client = await ApiClient.connect(server);
  const ask = async (method: string, path: string, body?: JsonObject) => {
    const answer = await send(client, method, path, body === undefined ? {} : { body });
    const { warning = null } = answer.headers;
    return { code: answer.code, warning: warning === null ? null : String(warning), body: answer.body };
  };
  const answers: JsonObject[] = [];
  const note = async (method: string, path: string, body?: JsonObject): Promise<void> => {
    const { code, warning } = await ask(method, `/apis/${group}/${path}`, body);
    answers.push({ asked: `${method} ${path}`, code, warning });
  };
  const served: Record<string, JsonValue> = {};
  for (const version of versions) {
    const { body } = await ask('GET', `/apis/${group}/${version}`);
    served[version] = namesOf(body['resources']);
  }
  for (const version of versions) {
    for (const { kind, specOf, bindingSpec } of kinds) {
      const stem = kind.toLowerCase().replace(/y$/, '');
      const [apiVersion, metadata] = [`${group}/${version}`, { name: version }];
      const spec = { ...specOf(version), matchConstraints };
      await note('POST', `${version}/${stem}ies`, { apiVersion, kind, metadata, spec });
      const bound = { policyName: version, ...bindingSpec };
      const binding = { apiVersion, kind: `${kind}Binding`, metadata, spec: bound };
      await note('POST', `${version}/${stem}ybindings`, binding);
      for (const other of versions) await note('GET', `${other}/${stem}ies/${version}`);
    }
  }
  await sleep(settleMs);
  const written = { metadata: { name: 'one' }, data: { a: '1' } };
  const { code, warning, body } = await ask('POST', '/api/v1/namespaces/default/configmaps', written);
  return { served, answers, write: { code, warning, data: body['data'] ?? null } };
}

function namesOf(resources: JsonValue | undefined): JsonValue {
  if (!Array.isArray(resources)) return [];
  return resources.map((each) => (isJsonObject(each) ? (each['name'] ?? null) : null));
}
