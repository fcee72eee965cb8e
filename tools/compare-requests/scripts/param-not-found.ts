import { define } from '../definitions.ts';
import { configMap, instance, places } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { forEach, inNamespace, patch, post, put, remove } from '../steps.ts';

const space = 'param-not-found';
const other = `${space}-other`;
const admission = '/apis/admissionregistration.k8s.io/v1';
const limits = {
  group: 'params.example.com',
  plural: 'limits',
  kind: 'Limit',
  properties: { max: { type: 'integer' } },
} as const;
const wide = { ...limits, plural: 'widelimits', kind: 'WideLimit', scope: 'Cluster' } as const;

/** Two kinds of policies alike: the word for what a mutating one does is that it sets a field. */
const kinds = {
  validating: {
    plural: 'validatingadmissionpolicies',
    kind: 'ValidatingAdmissionPolicy',
    rules: {
      validations: [
        {
          expression: 'params != null && has(params.data) && params.data.a == object.data.a',
          messageExpression: '"a is " + (params == null ? "free" : params.data.a)',
        },
      ],
    },
    custom: {
      validations: [{ expression: 'params == null || object.data.a.size() <= params.max', message: 'too long' }],
    },
    actions: { validationActions: ['Deny'] },
  },
  mutating: {
    plural: 'mutatingadmissionpolicies',
    kind: 'MutatingAdmissionPolicy',
    rules: {
      mutations: [
        {
          patchType: 'ApplyConfiguration',
          applyConfiguration: {
            expression: 'Object{data: Object.data{from: params == null ? "nothing" : params.data.a}}',
          },
        },
      ],
      reinvocationPolicy: 'Never',
    },
    custom: {
      mutations: [
        {
          patchType: 'ApplyConfiguration',
          applyConfiguration: {
            expression: 'Object{data: Object.data{from: params == null ? "nothing" : string(params.max)}}',
          },
        },
      ],
      reinvocationPolicy: 'Never',
    },
    actions: {},
  },
} as const;
type PolicyKind = keyof typeof kinds;

const maps = { apiVersion: 'v1', kind: 'ConfigMap' };
const custom = { apiVersion: 'params.example.com/v1', kind: 'Limit' };
const customWide = { apiVersion: 'params.example.com/v1', kind: 'WideLimit' };

interface Case {
  /** Default: config maps. */
  readonly paramKind?: object;
  readonly paramRef?: object;
  readonly failurePolicy?: string;
}

/** What a binding refers to. `p` exists in both namespaces, `q` in the other one. */
const cases: { readonly [name: string]: Case } = {
  'found, allow': { paramRef: { name: 'p', parameterNotFoundAction: 'Allow' } },
  'found, deny': { paramRef: { name: 'p', parameterNotFoundAction: 'Deny' } },
  'not found, allow': { paramRef: { name: 'nope', parameterNotFoundAction: 'Allow' } },
  'not found, deny': { paramRef: { name: 'nope', parameterNotFoundAction: 'Deny' } },
  'not found, deny, failures are ignored': {
    failurePolicy: 'Ignore',
    paramRef: { name: 'nope', parameterNotFoundAction: 'Deny' },
  },
  'elsewhere only, allow': { paramRef: { name: 'q', parameterNotFoundAction: 'Allow' } },
  'elsewhere only, deny': { paramRef: { name: 'q', parameterNotFoundAction: 'Deny' } },
  'in the other namespace': { paramRef: { name: 'q', namespace: other, parameterNotFoundAction: 'Deny' } },
  'in a namespace that is not there, allow': {
    paramRef: { name: 'q', namespace: 'gone', parameterNotFoundAction: 'Allow' },
  },
  'in a namespace that is not there, deny': {
    paramRef: { name: 'q', namespace: 'gone', parameterNotFoundAction: 'Deny' },
  },
  'by labels, allow': { paramRef: { selector: { matchLabels: { use: 'yes' } }, parameterNotFoundAction: 'Allow' } },
  'by labels, deny': { paramRef: { selector: { matchLabels: { use: 'yes' } }, parameterNotFoundAction: 'Deny' } },
  'by labels of none, allow': {
    paramRef: { selector: { matchLabels: { use: 'no' } }, parameterNotFoundAction: 'Allow' },
  },
  'by labels of none, deny': {
    paramRef: { selector: { matchLabels: { use: 'no' } }, parameterNotFoundAction: 'Deny' },
  },
  'by expressions of labels': {
    paramRef: {
      selector: { matchExpressions: [{ key: 'use', operator: 'In', values: ['yes', 'maybe'] }] },
      parameterNotFoundAction: 'Deny',
    },
  },
  'by any labels': { paramRef: { selector: {}, namespace: other, parameterNotFoundAction: 'Deny' } },
  'without a reference': {},
  'custom, found': { paramKind: custom, paramRef: { name: 'short', parameterNotFoundAction: 'Deny' } },
  'custom, not found, allow': { paramKind: custom, paramRef: { name: 'nope', parameterNotFoundAction: 'Allow' } },
  'custom, not found, deny': { paramKind: custom, paramRef: { name: 'nope', parameterNotFoundAction: 'Deny' } },
  'custom, elsewhere': {
    paramKind: custom,
    paramRef: { name: 'far', namespace: other, parameterNotFoundAction: 'Deny' },
  },
  'custom of the cluster, found': { paramKind: customWide, paramRef: { name: 'all', parameterNotFoundAction: 'Deny' } },
  'custom of the cluster, not found, allow': {
    paramKind: customWide,
    paramRef: { name: 'nope', parameterNotFoundAction: 'Allow' },
  },
  'custom of the cluster, not found, deny': {
    paramKind: customWide,
    paramRef: { name: 'nope', parameterNotFoundAction: 'Deny' },
  },
  'custom of the cluster in a namespace': {
    paramKind: customWide,
    paramRef: { name: 'all', namespace: space, parameterNotFoundAction: 'Deny' },
  },
  'a kind that is not there, allow': {
    paramKind: { apiVersion: 'nope.example.com/v1', kind: 'Nope' },
    paramRef: { name: 'x', parameterNotFoundAction: 'Allow' },
  },
  'a kind that is not there, deny': {
    paramKind: { apiVersion: 'nope.example.com/v1', kind: 'Nope' },
    paramRef: { name: 'x', parameterNotFoundAction: 'Deny' },
  },
  'a kind that is not there, failures are ignored': {
    failurePolicy: 'Ignore',
    paramKind: { apiVersion: 'nope.example.com/v1', kind: 'Nope' },
    paramRef: { name: 'x', parameterNotFoundAction: 'Deny' },
  },
};

/** References that are refused, or nearly. */
const references: { readonly [name: string]: unknown } = {
  nothing: {},
  null: null,
  'a name alone': { name: 'a' },
  'an action alone': { parameterNotFoundAction: 'Allow' },
  'an unknown action': { name: 'a', parameterNotFoundAction: 'Maybe' },
  'an empty action': { name: 'a', parameterNotFoundAction: '' },
  'a name and labels': { name: 'a', selector: {}, parameterNotFoundAction: 'Allow' },
  'a bad name': { name: 'A_b', parameterNotFoundAction: 'Allow' },
  'a bad namespace': { name: 'a', namespace: 'A_b', parameterNotFoundAction: 'Allow' },
  'an empty name': { name: '', selector: {}, parameterNotFoundAction: 'Allow' },
  'bad labels': { selector: { matchLabels: { 'a b': 'c' } }, parameterNotFoundAction: 'Deny' },
  'a bad operator': { selector: { matchExpressions: [{ key: 'a', operator: 'Is' }] }, parameterNotFoundAction: 'Deny' },
  'values that are not wanted': {
    selector: { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] },
    parameterNotFoundAction: 'Deny',
  },
  'an unknown field': { name: 'a', parameterNotFoundAction: 'Allow', more: 1 },
  'a number': 5,
};

const idOf = (policyKind: PolicyKind, name: string): string =>
  `${policyKind[0] ?? ''}-${name.replaceAll(/[ ,]+/g, '-')}`;

function policyOf(policyKind: PolicyKind, name: string, { paramKind = maps, failurePolicy = 'Fail' }: Case): object {
  const { kind, rules, custom: others } = kinds[policyKind];
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: idOf(policyKind, name) },
    spec: {
      failurePolicy,
      paramKind,
      matchConstraints: {
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] },
        ],
        objectSelector: { matchLabels: { only: idOf(policyKind, name) } },
      },
      ...(paramKind === maps ? rules : others),
    },
  };
}

function bindingOf(policyKind: PolicyKind, name: string, paramRef: unknown): object {
  const { kind, actions } = kinds[policyKind];
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}Binding`,
    metadata: { name: idOf(policyKind, name) },
    spec: { policyName: idOf(policyKind, name), ...actions, ...(paramRef === undefined ? {} : { paramRef }) },
  };
}

function installed(policyKind: PolicyKind): readonly Step[] {
  const { plural } = kinds[policyKind];
  return [
    ...forEach(cases, (one, name) => [
      post(`${policyKind}: ${name}: policy`, `${admission}/${plural}`, policyOf(policyKind, name, one)),
      post(
        `${policyKind}: ${name}: binding`,
        `${admission}/${plural.replace('policies', 'policybindings')}`,
        bindingOf(policyKind, name, one.paramRef),
      ),
    ]),
    ...forEach(references, (paramRef, name) =>
      post(
        `${policyKind}: reference: ${name}`,
        `${admission}/${plural.replace('policies', 'policybindings')}?dryRun=All`,
        bindingOf(policyKind, `ref ${name}`, paramRef),
      ),
    ),
  ];
}

function askedFor(policyKind: PolicyKind, when: string): readonly Step[] {
  return forEach(cases, (_, name) => {
    const labels = { only: idOf(policyKind, name) };
    const called = (what: string): string => `${policyKind}: ${name}: ${what} ${when}`;
    const path = `${places.configMaps(space)}?dryRun=All`;
    return [
      post(called('right'), path, configMap('right', { a: '1' }, { labels })),
      post(called('wrong'), path, configMap('wrong', { a: '12345' }, { labels })),
    ];
  });
}

const params = (at: string): string => places.configMaps(at);

/** Reports: policies whose parameters are not there, are found by labels, or come and go. */
export const paramNotFound = script(
  space,
  inNamespace(space),
  inNamespace(other),
  define(limits),
  define(wide),
  post('p', params(space), configMap('p', { a: '1' }, { labels: { use: 'yes' } })),
  post('the other p', params(other), configMap('p', { a: '12345' }, { labels: { use: 'yes' } })),
  post('q', params(other), configMap('q', { a: '1' })),
  post('short', places.custom(limits.group, limits.plural, space), instance(limits, 'short', { max: 2 })),
  post('far', places.custom(limits.group, limits.plural, other), instance(limits, 'far', { max: 4 })),
  post('all', `/apis/${wide.group}/v1/${wide.plural}`, instance(wide, 'all', { max: 3 })),
  installed('validating'),
  installed('mutating'),
  post('all is known', params(space), configMap('settled'), { settles: 'slowly' }),
  askedFor('validating', 'at first'),
  askedFor('mutating', 'at first'),
  put('p changes', `${params(space)}/p`, configMap('p', { a: '12345' }, { labels: { use: 'no' } })),
  remove('q goes', `${params(other)}/q`),
  post('nope comes', params(space), configMap('nope', { a: '1' })),
  patch('short is longer', 'merge', `${places.custom(limits.group, limits.plural, space)}/short`, { max: 9 }),
  remove('all goes', `/apis/${wide.group}/v1/${wide.plural}/all`, undefined, { settles: 'slowly' }),
  askedFor('validating', 'after changes'),
  askedFor('mutating', 'after changes'),
);
