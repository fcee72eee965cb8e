import type { JsonObject } from '../../../src/api/json/json.ts';
import type { CaseObject } from '../../case-objects.ts';
import { allowed, type CaseHook, patchOf, rawPatch, rules, type WebhookCase } from '../case-parts.ts';

const registration = '/apis/admissionregistration.k8s.io/v1';
const group = 'numbers-CASE.example.com';
const things = `/apis/${group}/v1/namespaces/NS/things`;

/** A policy and its binding, for one resource in the namespace of the case. */
function policy(kind: 'mutating' | 'validating', rule: JsonObject, spec: JsonObject): readonly CaseObject[] {
  const name = `numbers-${kind}-CASE`;
  const matchConstraints = {
    namespaceSelector: { matchLabels: { case: 'CASE' } },
    resourceRules: [{ operations: ['*'], apiVersions: ['v1'], ...rule }],
  };
  const actions = kind === 'mutating' ? {} : { validationActions: ['Deny'] };
  return [
    {
      path: `${registration}/${kind}admissionpolicies`,
      body: { metadata: { name }, spec: { matchConstraints, ...spec } },
    },
    {
      path: `${registration}/${kind}admissionpolicybindings`,
      body: { metadata: { name }, spec: { policyName: name, ...actions } },
    },
  ];
}

const ofThings = { apiGroups: [group], resources: ['things'] };
const ofPods = { apiGroups: [''], resources: ['pods'] };

/** Refuses the object, telling its numbers: an answer in JSON would not show them exactly. */
const tells = (rule: JsonObject, messageExpression: string): readonly CaseObject[] =>
  policy('validating', rule, { validations: [{ expression: 'false', messageExpression }] });

const numbers = {
  large: '9007199254740993',
  largest: '9223372036854775807',
  beyond: '9223372036854775808',
  whole: '1.0',
  power: '1e3',
  fraction: '1.5',
  huge: '1e21',
  small: '7',
};
const messages = Object.keys(numbers)
  .map((name) => `(dyn(type(dyn(object.spec.${name}))) == dyn(int) ? 'int ' : '') + string(object.spec.${name})`)
  .join(" + ', ' + ");

const definition = (openAPIV3Schema: JsonObject): CaseObject => ({
  path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  body: {
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  },
});
const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const integers = new Set(['large', 'largest', 'small']);
const typed = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: Object.fromEntries(
        Object.keys(numbers).map((name) => [name, { type: integers.has(name) ? 'integer' : 'number' }]),
      ),
    },
  },
};
const spec = Object.entries(numbers)
  .map(([name, number]) => `"${name}":${number}`)
  .join(',');
const thing = `{"apiVersion":"${group}/v1","kind":"Thing","metadata":{"name":"one"},"spec":{${spec}}}`;

const label = patchOf({ op: 'add', path: '/metadata/labels', value: { a: 'b' } });
const mutation = (patch: JsonObject): readonly CaseObject[] =>
  policy('mutating', ofThings, { reinvocationPolicy: 'Never', mutations: [patch] });
const asThing = (
  name: string,
  schema: JsonObject,
  { objects = [], hooks = [] }: { readonly objects?: readonly CaseObject[]; readonly hooks?: readonly CaseHook[] },
): WebhookCase => ({
  name: `numbers: ${name}`,
  hooks,
  objects: [definition(schema), ...tells(ofThings, messages), ...objects],
  steps: [{ method: 'POST', path: things, text: thing }],
});
const mutating = (answer: CaseHook['answer']): CaseHook => ({ type: 'mutating', fields: rules(['things']), answer });

const ofPod = (name: string, answer: CaseHook['answer'], more: string): WebhookCase => ({
  name: `numbers: ${name}`,
  objects: tells(ofPods, 'string(object.spec.terminationGracePeriodSeconds)'),
  hooks: [{ type: 'mutating', fields: rules(['pods']), answer }],
  steps: [
    {
      method: 'POST',
      path: 'pods',
      text: `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"one"},"spec":{${more}"containers":[{"name":"a","image":"b"}]}}`,
    },
  ],
});

/** Numbers that a double does not represent, or that Go takes for another type, before and after mutations. */
export const numberCases: readonly WebhookCase[] = [
  asThing('free, allowed', free, { hooks: [mutating(allowed)] }),
  asThing('free, patched', free, { hooks: [mutating(label)] }),
  asThing('free, patched twice', free, {
    hooks: [mutating(label), mutating(patchOf({ op: 'add', path: '/spec/more', value: 1 }))],
  }),
  asThing('typed, patched', typed, { hooks: [mutating(label)] }),
  asThing('typed, patched by a policy', typed, {
    objects: mutation({
      patchType: 'JSONPatch',
      jsonPatch: { expression: '[JSONPatch{op: "add", path: "/metadata/labels", value: {"a": "b"}}]' },
    }),
  }),
  ...[free, typed].map((schema) =>
    asThing(`${schema === free ? 'free' : 'typed'}, merged by a policy`, schema, {
      objects: mutation({
        patchType: 'ApplyConfiguration',
        applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"a": "b"}}}' },
      }),
    }),
  ),
  ofPod('of a pod, patched', label, '"terminationGracePeriodSeconds":9007199254740993,'),
  ofPod(
    'of a pod, in a patch',
    rawPatch('[{"op":"add","path":"/spec/terminationGracePeriodSeconds","value":9007199254740993}]'),
    '',
  ),
];
