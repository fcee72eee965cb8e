import type { JsonObject } from '../../src/api/json/json.ts';
import { root } from '../authentication/both-servers.ts';

interface StepOptions {
  readonly query?: string;
  readonly contentType?: string;
  readonly headers?: { readonly [name: string]: string | string[] };
}

type Method = 'POST' | 'PATCH' | 'APPLY';
export type Step = readonly [user: string, method: Method, path: string, body: JsonObject, options?: StepOptions];

const dryRun: StepOptions = { query: '?dryRun=All' };
const applied: StepOptions = { query: '?fieldManager=test' };

const configMap = { apiVersion: 'v1', kind: 'ConfigMap' };
const unknown = { apiVersion: 'unknown.example/v1', kind: 'Thing' };
const node = { apiVersion: 'v1', kind: 'Node' };

export const admission = 'admissionregistration.k8s.io';
const policies = `/apis/${admission}/v1`;

interface PolicyKind {
  readonly kind: string;
  readonly plural: string;
  readonly more: JsonObject;
}

const matchConstraints = {
  resourceRules: [{ apiGroups: ['none.example'], apiVersions: ['*'], operations: ['CREATE'], resources: ['*'] }],
};
const policyKinds: readonly PolicyKind[] = [
  {
    kind: 'ValidatingAdmissionPolicy',
    plural: 'validatingadmissionpolicies',
    more: { matchConstraints, validations: [{ expression: 'true' }] },
  },
  {
    kind: 'MutatingAdmissionPolicy',
    plural: 'mutatingadmissionpolicies',
    more: {
      matchConstraints,
      reinvocationPolicy: 'Never',
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }],
    },
  },
];

const apiVersion = `${admission}/v1`;

const policyOf =
  ({ kind, more }: PolicyKind) =>
  (name: string, paramKind?: JsonObject, spec: JsonObject = {}): JsonObject => ({
    apiVersion,
    kind,
    metadata: { name },
    spec: { ...more, failurePolicy: 'Ignore', ...(paramKind && { paramKind }), ...spec },
  });

function policySteps(policyKind: PolicyKind): readonly Step[] {
  const all = `${policies}/${policyKind.plural}`;
  const policy = policyOf(policyKind);
  const extra = {
    headers: { 'Impersonate-Uid': 'u1', 'Impersonate-Group': ['g1', 'g2'], 'Impersonate-Extra-k': ['a', 'b'] },
  };
  return [
    ['poor', 'POST', all, policy('plain')],
    ['poor', 'POST', all, policy('maps', configMap)],
    ['poor', 'POST', all, policy('maps', configMap), dryRun],
    ['poor', 'POST', all, policy('maps', configMap), extra],
    ['poor', 'POST', all, policy('maps', configMap, { failurePolicy: 'Never' })],
    ['poor', 'POST', all, { ...policy('', configMap), metadata: { generateName: 'maps-' } }],
    ['poor', 'POST', all, policy('Not-A-Name', configMap)],
    ['poor', 'APPLY', `${all}/maps`, policy('maps', configMap), applied],
    ['lister', 'POST', all, policy('maps', configMap)],
    ['reader-of-one', 'POST', all, policy('maps', configMap)],
    ['reader-in-default', 'POST', all, policy('maps', configMap)],
    ['reader', 'POST', all, policy('maps', configMap), dryRun],
    ['reader', 'POST', all, policy('maps', configMap)],
    ['reader', 'POST', all, { ...policy('', configMap), metadata: { generateName: 'maps-' } }, dryRun],
    ['reader', 'POST', all, policy('nodes', node)],
    ['reader-of-nodes', 'POST', all, policy('nodes', node)],
    ['reader', 'POST', all, policy('things', unknown)],
    ['reader-of-group', 'POST', all, policy('things', unknown)],
    ['reader-of-all', 'POST', all, policy('other-things', unknown)],
    [root, 'POST', all, policy('roots', unknown)],
    ['poor', 'PATCH', `${all}/maps`, { metadata: { labels: { a: 'b' } } }],
    ['poor', 'PATCH', `${all}/maps`, { spec: { failurePolicy: 'Fail' } }],
    ['poor', 'PATCH', `${all}/maps`, { spec: { paramKind: node } }],
    ['poor', 'PATCH', `${all}/maps`, { spec: { paramKind: node } }, dryRun],
    ['reader', 'PATCH', `${all}/maps`, { spec: { paramKind: { kind: 'Pod' } } }],
    ['poor', 'PATCH', `${all}/plain`, { spec: { paramKind: configMap } }],
    ['reader', 'PATCH', `${all}/plain`, { spec: { paramKind: configMap } }],
    ['poor', 'PATCH', `${all}/plain`, { spec: { paramKind: null } }],
    ['poor', 'APPLY', `${all}/maps`, policy('maps', node), { query: '?fieldManager=test&force=true' }],
  ];
}

const bindingOf =
  ({ kind }: PolicyKind) =>
  (name: string, policyName: string, paramRef?: JsonObject): JsonObject => ({
    apiVersion,
    kind: `${kind}Binding`,
    metadata: { name },
    spec: {
      policyName,
      ...(kind === 'ValidatingAdmissionPolicy' && { validationActions: ['Warn'] }),
      ...(paramRef && { paramRef: { parameterNotFoundAction: 'Allow', ...paramRef } }),
    },
  });

function bindingSteps(policyKind: PolicyKind): readonly Step[] {
  const bindings = `${policies}/${policyKind.kind.toLowerCase()}bindings`;
  const binding = bindingOf(policyKind);
  const one = { name: 'one', namespace: 'default' };
  const some = { selector: { matchLabels: { a: 'b' } } };
  return [
    ['poor', 'POST', bindings, binding('plain', 'maps')],
    ['poor', 'POST', bindings, binding('one', 'maps', one)],
    ['poor', 'POST', bindings, binding('one', 'maps', one), dryRun],
    ['poor', 'POST', bindings, { ...binding('', 'maps', one), metadata: { generateName: 'one-' } }],
    ['poor', 'POST', bindings, binding('one', 'maps', { ...one, parameterNotFoundAction: 'Never' })],
    ['poor', 'POST', bindings, binding('some', 'maps', some)],
    ['poor', 'POST', bindings, binding('lost', 'nothing', one)],
    ['poor', 'POST', bindings, binding('no-kind', 'plain', one)],
    ['poor', 'POST', bindings, binding('thing', 'things', one)],
    ['poor', 'POST', bindings, binding('nodes', 'nodes', some)],
    ['poor', 'APPLY', `${bindings}/one`, binding('one', 'maps', one), applied],
    ['reader-of-one', 'POST', bindings, binding('two', 'maps', { name: 'two', namespace: 'default' })],
    ['reader-of-one', 'POST', bindings, binding('one', 'maps', one)],
    ['reader-in-default', 'POST', bindings, binding('one-here', 'maps', one)],
    ['reader-in-default', 'POST', bindings, binding('one-anywhere', 'maps', { name: 'one' })],
    ['reader-in-default', 'POST', bindings, binding('some-anywhere', 'maps', some)],
    ['reader-in-default', 'POST', bindings, binding('some-here', 'maps', { ...some, namespace: 'default' })],
    ['reader', 'POST', bindings, binding('some', 'maps', some)],
    ['lister', 'POST', bindings, binding('some', 'maps', some)],
    ['lister', 'POST', bindings, binding('one-for-lister', 'maps', one)],
    ['reader', 'POST', bindings, binding('lost', 'nothing', one)],
    ['reader-of-all', 'POST', bindings, binding('lost', 'nothing', one)],
    ['reader-of-all', 'POST', bindings, binding('no-kind', 'plain', one)],
    ['reader', 'POST', bindings, binding('thing', 'things', one)],
    ['reader-of-group', 'POST', bindings, binding('thing', 'things', one)],
    ['reader-of-nodes', 'POST', bindings, binding('node', 'nodes', { name: 'one' })],
    [root, 'POST', bindings, binding('roots', 'nothing', some)],
    ['poor', 'PATCH', `${bindings}/one`, { metadata: { labels: { a: 'b' } } }],
    ['poor', 'PATCH', `${bindings}/one`, {}],
    ['poor', 'PATCH', `${bindings}/one`, { spec: { paramRef: { name: 'two' } } }],
    ['poor', 'PATCH', `${bindings}/one`, { spec: { policyName: 'things' } }],
    ['reader-of-one', 'PATCH', `${bindings}/one`, { metadata: { labels: { a: 'b' } } }],
    ['poor', 'PATCH', `${bindings}/plain`, { spec: { paramRef: { ...one, parameterNotFoundAction: 'Allow' } } }],
    ['poor', 'PATCH', `${bindings}/one`, { spec: { paramRef: null } }],
  ];
}

const namespaced = (namespace: string): string => `/apis/resource.k8s.io/v1/namespaces/${namespace}`;
const claimFor = (adminAccess: boolean): JsonObject => ({
  name: 'admin',
  exactly: { deviceClassName: 'class', adminAccess },
});
const subrequests = { name: 'sub', firstAvailable: [{ name: 's', deviceClassName: 'class' }] };
const claim = (name: string, ...requests: JsonObject[]): JsonObject => ({
  metadata: { name },
  spec: { devices: { requests } },
});
const template = (name: string, ...requests: JsonObject[]): JsonObject => ({
  metadata: { name },
  spec: { spec: { devices: { requests } } },
});
const allocation = (adminAccess: boolean): JsonObject => ({
  status: {
    allocation: {
      devices: { results: [{ request: 'admin', driver: 'a.example', pool: 'p', device: 'd', adminAccess }] },
    },
  },
});

const claimSteps: readonly Step[] = ['default', 'mislabelled', 'labelled'].flatMap((namespace): readonly Step[] => {
  const claims = `${namespaced(namespace)}/resourceclaims`;
  const templates = `${namespaced(namespace)}/resourceclaimtemplates`;
  return [
    [root, 'POST', claims, claim('without', claimFor(false))],
    [root, 'POST', claims, claim('with', subrequests, claimFor(true))],
    ['poor', 'POST', claims, claim('by-poor', claimFor(true)), dryRun],
    [root, 'POST', claims, claim('invalid', { ...claimFor(true), name: 'No Name' })],
    [root, 'POST', claims, { ...claim('', claimFor(true)), metadata: { generateName: 'with-' } }, dryRun],
    [root, 'POST', templates, template('without', claimFor(false))],
    [root, 'POST', templates, template('with', subrequests, claimFor(true))],
    [root, 'PATCH', `${claims}/without`, { metadata: { labels: { a: 'b' } } }],
    [root, 'PATCH', `${claims}/without/status`, allocation(true), dryRun],
    [root, 'PATCH', `${claims}/without/status`, allocation(false)],
    ['poor', 'PATCH', `${claims}/with/status`, allocation(true)],
    [root, 'PATCH', `${claims}/with/status`, allocation(true)],
    // What has been granted stays so.
    [root, 'PATCH', `/api/v1/namespaces/${namespace}`, { metadata: { labels: null } }],
    [root, 'PATCH', `${claims}/with/status`, allocation(true)],
  ];
});

const requests = '/apis/certificates.k8s.io/v1/namespaces/default/podcertificaterequests';
const denied = (type: string): JsonObject => ({
  status: {
    conditions: [{ type, status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2020-01-01T00:00:00Z' }],
  },
});

const certificateSteps: readonly Step[] = [
  ...['one', 'two'].map((name): Step => [root, 'POST', requests, certificateRequest(name, `a.example/${name}`)]),
  ['poor', 'PATCH', `${requests}/one/status`, {}],
  ['poor', 'PATCH', `${requests}/one/status`, { metadata: { labels: { a: 'b' } } }],
  ['poor', 'PATCH', `${requests}/one/status`, denied('Denied')],
  ['poor', 'PATCH', `${requests}/one/status`, denied('Denied'), dryRun],
  ['poor', 'PATCH', `${requests}/one/status`, denied('Else')],
  ['signer', 'PATCH', `${requests}/two/status`, denied('Denied')],
  ['domain-signer', 'PATCH', `${requests}/two/status`, denied('Denied'), dryRun],
  ['signer', 'PATCH', `${requests}/one/status`, denied('Denied')],
  ['poor', 'PATCH', `${requests}/one/status`, denied('Denied')],
  ['poor', 'PATCH', `${requests}/one/status`, denied('Failed')],
  [root, 'PATCH', `${requests}/two/status`, denied('Failed')],
];

function certificateRequest(name: string, signerName: string): JsonObject {
  const pod = {
    podName: 'p',
    podUID: 'u',
    serviceAccountName: 'a',
    serviceAccountUID: 'v',
    nodeName: 'n',
    nodeUID: 'w',
  };
  // Of another pod: kube-apiserver checks that it is signed with its own key.
  const stubPKCS10Request =
    'MIGNMEECAQAwDjEMMAoGA1UEAxMDZm9vMCowBQYDK2VwAyEA33notc99UJwFQmOojmMx5+OHh3eSxnCXPD8y4+3fCOigADAFBgMrZXADQQB2' +
    '01a14Mlk73XPyT7Ff/Ln0SIDL/YO4MIqPDYnpO1pA2s3vyo0H8qkvxo9WMNLeY5MZa2uG3gqZzXjjyWV38QA';
  return { metadata: { name }, spec: { signerName, ...pod, maxExpirationSeconds: 86_400, stubPKCS10Request } };
}

/** Each is a file of expected outcomes. */
export const referenceSteps: readonly (readonly [name: string, steps: readonly Step[]])[] = [
  ...policyKinds.map((kind) => [kind.plural, [...policySteps(kind), ...bindingSteps(kind)]] as const),
  ['claims', claimSteps],
  ['certificate-requests', certificateSteps],
];
