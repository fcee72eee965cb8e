import type { HookAddress } from './hook-server.ts';

const registration = '/apis/admissionregistration.k8s.io/v1';
const group = 'bench.example.com';
const namespace = 'namespaces/default';

/** An object and the path where it is created. */
export interface Made {
  readonly path: string;
  readonly body: object;
}

export interface Write {
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly body?: string;
}

/** Kinds that differ only in what is applied to them. */
export interface AdmittedKind {
  readonly plural: string;
  readonly added?: string;
  readonly objects: readonly Made[];
}

export function admittedKinds(address: HookAddress): readonly [plain: AdmittedKind, ...others: AdmittedKind[]] {
  const rule = (resource: string): Rule => ruleFor(group, resource);
  return [
    { plural: 'plains', objects: [] },
    { plural: 'controls', added: 'nothing, to another kind', objects: [] },
    {
      plural: 'validateds',
      added: 'a validating policy of three rules',
      objects: validating(rule('validateds'), 'bench'),
    },
    {
      plural: 'mutateds',
      added: 'a mutating policy that sets a label',
      objects: mutating(rule('mutateds'), 'bench'),
    },
    {
      plural: 'revieweds',
      added: 'a validating webhook',
      objects: [validatingHook(address, rule('revieweds'), 'bench')],
    },
    { plural: 'patcheds', added: 'a mutating webhook', objects: [mutatingHook(address, rule('patcheds'), 'bench')] },
  ];
}

export function definitionOf({ plural }: AdmittedKind): Made {
  const free = { type: 'object', additionalProperties: { type: 'string' } };
  const openAPIV3Schema = { type: 'object', properties: { data: free } };
  return {
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: {
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural, kind: kindOf(plural) },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      },
    },
  };
}

export function pathOf({ plural }: AdmittedKind): string {
  return `/apis/${group}/v1/${namespace}/${plural}`;
}

/** A dry run. */
export function createOf(kind: AdmittedKind): Write {
  const object = { ...written('bench'), apiVersion: `${group}/v1`, kind: kindOf(kind.plural) };
  return { method: 'POST', path: `${pathOf(kind)}?dryRun=All`, body: JSON.stringify(object) };
}

function kindOf(plural: string): string {
  return `Bench${plural}`;
}

const configMaps = `/api/v1/${namespace}/configmaps`;
const written = (name: string) => ({
  metadata: { name, labels: { app: 'bench' } },
  data: { color: 'blue', size: 'large' },
});

/** What writes below are about. */
export const writtenMap: Made = { path: configMaps, body: written('written') };

/** Dry runs. */
export const writes: Readonly<Record<'create' | 'merge patch' | 'apply' | 'delete', Write>> = {
  create: { method: 'POST', path: `${configMaps}?dryRun=All`, body: JSON.stringify(written('bench')) },
  'merge patch': {
    method: 'PATCH',
    path: `${configMaps}/written?dryRun=All`,
    contentType: 'application/merge-patch+json',
    body: JSON.stringify({ data: { number: '{number}' } }),
  },
  apply: {
    method: 'PATCH',
    contentType: 'application/apply-patch+yaml',
    path: `${configMaps}/written?dryRun=All&fieldManager=bench&force=true`,
    body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', data: { number: '{number}' } }),
  },
  delete: { method: 'DELETE', path: `${configMaps}/written?dryRun=All` },
};

/** Webhooks and policies of each kind that no write of a ConfigMap matches, to be made by number. */
export function unmatched(address: HookAddress): readonly Made[] {
  const [name, rule] = ['bench-{number}', ruleFor('apps', 'deployments')];
  const hooks = [validatingHook(address, rule, name), mutatingHook(address, rule, name)];
  return [...hooks, ...validating(rule, name), ...mutating(rule, name)];
}

interface Rule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly string[];
  readonly resources: readonly string[];
}

function ruleFor(of: string, resource: string): Rule {
  return { apiGroups: [of], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: [resource] };
}

function validatingHook(address: HookAddress, rule: Rule, name: string): Made {
  return { path: `${registration}/validatingwebhookconfigurations`, body: hookOf(address, rule, name) };
}

function mutatingHook(address: HookAddress, rule: Rule, name: string): Made {
  return { path: `${registration}/mutatingwebhookconfigurations`, body: hookOf(address, rule, name) };
}

function hookOf({ url, caBundle }: HookAddress, rule: Rule, name: string): object {
  const webhook = { name: 'bench.example.com', clientConfig: { url, caBundle }, rules: [rule], sideEffects: 'None' };
  return { metadata: { name }, webhooks: [{ ...webhook, admissionReviewVersions: ['v1'] }] };
}

const validations = [
  { expression: 'object.data.size() <= 16' },
  { expression: "object.metadata.labels.app.startsWith('be')", message: 'not an app of the bench' },
  { expression: 'object.data.all(key, size(object.data[key]) <= 1024)', reason: 'Invalid' },
];

function validating(rule: Rule, name: string): readonly Made[] {
  const metadata = { name };
  const spec = { matchConstraints: { resourceRules: [rule] }, validations };
  const binding = { metadata, spec: { policyName: name, validationActions: ['Deny'] } };
  return [
    { path: `${registration}/validatingadmissionpolicies`, body: { metadata, spec } },
    { path: `${registration}/validatingadmissionpolicybindings`, body: binding },
  ];
}

function mutating(rule: Rule, name: string): readonly Made[] {
  const metadata = { name };
  const expression = 'Object{metadata: Object.metadata{labels: {"admitted": "true"}}}';
  const mutations = [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }];
  const spec = { matchConstraints: { resourceRules: [rule] }, reinvocationPolicy: 'Never', mutations };
  return [
    { path: `${registration}/mutatingadmissionpolicies`, body: { metadata, spec } },
    { path: `${registration}/mutatingadmissionpolicybindings`, body: { metadata, spec: { policyName: name } } },
  ];
}
