import { configMap, deployment, places } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put, remove } from '../steps.ts';

const space = 'mutating';
const policies = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies';
const bindings = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings';
const configMaps = places.configMaps(space);
const deployments = places.deployments(space);

const constraints = (resource: string, apiGroup: string): object => ({
  resourceRules: [
    { apiGroups: [apiGroup], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: [resource] },
  ],
});
const policy = (name: string, spec: object): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingAdmissionPolicy',
  metadata: { name },
  spec: {
    matchConstraints: constraints('configmaps', ''),
    reinvocationPolicy: 'Never',
    failurePolicy: 'Fail',
    ...spec,
  },
});
const binding = (name: string): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingAdmissionPolicyBinding',
  metadata: { name: `${name}-binding` },
  spec: {
    policyName: name,
    matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': space } } },
  },
});
const applied = (expression: string): object => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
const patched = (expression: string): object => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

/** Policies that are valid, by the label that they match. */
const working: { readonly [name: string]: object } = {
  'apply-label': applied('Object{metadata: Object.metadata{labels: {"added": "yes"}}}'),
  'apply-data': applied('Object{data: {"from": "policy"}}'),
  'patch-label': patched('[JSONPatch{op: "add", path: "/metadata/labels/patched", value: "yes"}]'),
  'patch-annotations': patched('[JSONPatch{op: "add", path: "/metadata/annotations", value: {"a/b": "c"}}]'),
  'patch-data': patched('[JSONPatch{op: "replace", path: "/data/a", value: object.metadata.name}]'),
  'patch-remove': patched('[JSONPatch{op: "remove", path: "/data/a"}]'),
  'patch-test': patched('[JSONPatch{op: "test", path: "/data/a", value: "nope"}]'),
  'patch-missing': patched('[JSONPatch{op: "remove", path: "/data/nope"}]'),
  'patch-escaped': patched(
    '[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("a.b/c"), value: "d"}]',
  ),
  'patch-invalid': patched('[JSONPatch{op: "add", path: "/metadata/labels/patched", value: "not valid!"}]'),
  'patch-nothing': patched('[]'),
  'apply-error': applied('Object{data: {"a": object.data["nope"]}}'),
  'patch-immutable': patched('[JSONPatch{op: "replace", path: "/metadata/name", value: "other"}]'),
  'patch-unknown': patched('[JSONPatch{op: "add", path: "/nope", value: "x"}]'),
};

const broken: { readonly [name: string]: object } = {
  'no mutations': { mutations: [] },
  'an unknown type': { mutations: [{ patchType: 'Nope' }] },
  'no expression': { mutations: [{ patchType: 'JSONPatch' }] },
  both: { mutations: [{ ...applied('Object{}'), jsonPatch: { expression: '[]' } }] },
  'a syntax error': { mutations: [patched('[')] },
  'another result': { mutations: [patched('"x"')] },
  'an unknown field': { mutations: [applied('Object{nope: 1}')] },
  'an unknown type of a field': { mutations: [applied('Object{data: 1}')] },
  'an unknown variable': { mutations: [patched('[JSONPatch{op: "add", path: "/a", value: nope}]')] },
  variables: { variables: [{ name: 'a', expression: '1 +' }], mutations: [patched('[]')] },
  'no reinvocation policy': { reinvocationPolicy: undefined, mutations: [patched('[]')] },
  'an unknown failure policy': { failurePolicy: 'Nope', mutations: [patched('[]')] },
  'no constraints': { matchConstraints: undefined, mutations: [patched('[]')] },
  'a condition': { matchConditions: [{ name: 'a b', expression: '1' }], mutations: [patched('[]')] },
  'a parameter kind': { paramKind: { apiVersion: 'v1', kind: '' }, mutations: [patched('[]')] },
};

function workingSteps(mutation: object, name: string): readonly Step[] {
  const called = (what: string): string => `${name}: ${what}`;
  const of = (object: string, data: object = { a: '1' }): object =>
    configMap(object, data, { labels: { policy: name } });
  const condition = {
    matchConditions: [
      { name: 'label', expression: `has(object.metadata.labels) && object.metadata.labels["policy"] == "${name}"` },
    ],
  };
  return [
    post(called('policy'), policies, policy(name, { ...condition, mutations: [mutation] })),
    post(called('binding'), bindings, binding(name), { settles: 'slowly' }),
    post(called('create'), configMaps, of(`${name}-a`)),
    apply(called('apply'), `${configMaps}/${name}-b`, of(`${name}-b`), 'one'),
    apply(called('apply again'), `${configMaps}/${name}-b`, of(`${name}-b`), 'one'),
    patch(called('patch'), 'merge', `${configMaps}/${name}-a`, { data: { b: '2' } }),
    put(called('put'), `${configMaps}/${name}-a`, of(`${name}-a`, { a: '3' })),
    get(called('get'), `${configMaps}/${name}-b`),
    post(called('a dry run'), `${configMaps}?dryRun=All`, of(`${name}-c`)),
    remove(called('delete the binding'), `${bindings}/${name}-binding`),
    remove(called('delete the policy'), `${policies}/${name}`),
  ];
}

const sidecar = `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: "sidecar", image: "side:1"}]}}}}`;

/** Reports: policies that change objects, what owns the changes, and what fails. */
export const mutatingPolicies = script(
  'mutating-policies',
  inNamespace(space),
  forEach(broken, (spec, name) => post(`broken: ${name}`, policies, policy('broken', spec))),
  forEach(working, workingSteps),
  post(
    'a sidecar policy',
    policies,
    policy('sidecar', {
      matchConstraints: constraints('deployments', 'apps'),
      reinvocationPolicy: 'IfNeeded',
      mutations: [applied(sidecar)],
    }),
  ),
  post('a sidecar binding', bindings, binding('sidecar'), { settles: 'slowly' }),
  post('a deployment', deployments, deployment('a')),
  apply('apply a deployment', `${deployments}/b`, deployment('b'), 'one'),
  apply('apply it again', `${deployments}/b`, deployment('b'), 'one'),
  get('the deployment', `${deployments}/b`),
  remove('delete the sidecar binding', `${bindings}/sidecar-binding`),
  remove('delete the sidecar policy', `${policies}/sidecar`),
);
