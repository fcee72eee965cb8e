import type { HostileCase } from '../hostile-case.ts';
import type { HostileClient, HostileRequest, Reply } from '../hostile-client.ts';
import { hookMisdeeds } from '../hook-misdeeds.ts';
import { hookServer } from '../hook-server.ts';
import { configMap, namespaced } from '../text-bodies.ts';

export const admission = '/apis/admissionregistration.k8s.io/v1';
/** Objects of other cases are not sent to these hooks. */
export const chosen = { hostile: 'hook' };
export const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
const requests = 5;

/** Puts a configuration in place of what an earlier case has left. */
export async function put(client: HostileClient, path: string, object: object, name = 'hostile'): Promise<void> {
  await client.send({ method: 'DELETE', path: `${path}/${name}` });
  const { code, text } = await client.send({ path, body: JSON.stringify(object) });
  if (code !== 201) throw new Error(`${path} was answered ${code}: ${text.slice(0, 300)}`);
}

async function severalTimes(client: HostileClient, request: HostileRequest): Promise<readonly Reply[]> {
  return Promise.all(Array.from({ length: requests }, () => client.send(request)));
}

function hookCase(misdeed: string, kind: 'Mutating' | 'Validating'): HostileCase {
  const path = `${admission}/${kind.toLowerCase()}webhookconfigurations`;
  return {
    name: `hook: ${kind.toLowerCase()}, ${misdeed}`,
    // What the hook may answer to each.
    bodyBytes: requests * 3_000_000,
    codes: [201, 400, 403, 413, 422, 500],
    async prepare(client) {
      const { url, authority } = await hookServer();
      const clientConfig = {
        url: `${url}/hook/${encodeURIComponent(misdeed)}`,
        caBundle: Buffer.from(authority).toString('base64'),
      };
      const webhook = {
        name: 'hostile.x.io',
        clientConfig,
        rules: [rule],
        objectSelector: { matchLabels: chosen },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        timeoutSeconds: 2,
        failurePolicy: 'Fail',
      };
      await put(client, path, {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: `${kind}WebhookConfiguration`,
        metadata: { name: 'hostile' },
        webhooks: [webhook],
      });
    },
    async send(client) {
      const object = configMap({ data: { a: 'b'.repeat(100) } }, { name: 'hooked', labels: chosen });
      const replies = await severalTimes(client, {
        path: `${namespaced('configmaps')}?dryRun=All`,
        body: JSON.stringify(object),
      });
      await client.send({ method: 'DELETE', path: `${path}/hostile` });
      return replies;
    },
  };
}

const policies = `${admission}/validatingadmissionpolicies`;
const bindings = `${admission}/validatingadmissionpolicybindings`;

/** Expressions that run until their cost limit, and messages as long as they may be. */
const expressions: { readonly [name: string]: string } = {
  'a loop in a loop in a loop': 'object.data.all(a, object.data.all(b, object.data.all(c, a + b + c != "")))',
  'sums of texts': 'object.data.all(a, object.data.all(b, (object.data[a] + object.data[b]).contains("z") == false))',
  'a pattern': 'object.data.all(a, object.data.all(b, !object.data[a].matches("(a|aa)+c")))',
  'a sorted list': 'object.data.map(a, object.data[a]).map(a, a + a).sort().size() >= 0',
};

function policyCase(name: string, expression: string): HostileCase {
  const data = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, 'a'.repeat(300)]));
  const body = JSON.stringify(configMap({ data }, { labels: chosen }));
  return {
    name: `policy: ${name}`,
    bodyBytes: requests * body.length,
    boundMs: 20,
    codes: [201, 422],
    async prepare(client) {
      const matchConstraints = { resourceRules: [rule], objectSelector: { matchLabels: chosen } };
      const head = { apiVersion: 'admissionregistration.k8s.io/v1', metadata: { name: 'hostile' } };
      await put(client, policies, {
        ...head,
        kind: 'ValidatingAdmissionPolicy',
        spec: { matchConstraints, validations: [{ expression, messageExpression: '"a".split("").join("b")' }] },
      });
      await put(client, bindings, {
        ...head,
        kind: 'ValidatingAdmissionPolicyBinding',
        spec: { policyName: 'hostile', validationActions: ['Deny'] },
      });
      // Compiled by the first request.
      await client.send({ path: `${namespaced('configmaps')}?dryRun=All`, body });
    },
    async send(client) {
      const replies = await severalTimes(client, { path: `${namespaced('configmaps')}?dryRun=All`, body });
      await client.send({ method: 'DELETE', path: `${bindings}/hostile` });
      await client.send({ method: 'DELETE', path: `${policies}/hostile` });
      return replies;
    },
  };
}

/** Webhooks and policies that misbehave. */
export const hookCases: readonly HostileCase[] = [
  ...[...hookMisdeeds.keys()].flatMap((misdeed) =>
    (['Mutating', 'Validating'] as const).map((kind) => hookCase(misdeed, kind)),
  ),
  ...Object.entries(expressions).map(([name, expression]) => policyCase(name, expression)),
];
