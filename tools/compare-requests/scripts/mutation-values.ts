import { configMap, instance, places, secret } from '../objects.ts';
import { define } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { inNamespace, post } from '../steps.ts';

const space = 'mutation-values';
const policies = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies';
const bindings = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings';
const custom = {
  group: 'mutation-values.example.com',
  plural: 'values',
  kind: 'Value',
  properties: {
    spec: {
      type: 'object',
      properties: {
        any: { 'x-kubernetes-preserve-unknown-fields': true },
        bytes: { type: 'string', format: 'byte' },
        text: { type: 'string' },
        time: { type: 'string', format: 'date-time' },
        number: { type: 'number' },
        whole: { type: 'integer' },
        list: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      },
    },
  },
} as const;

/** Values of all types of CEL and of Kubernetes' libraries. */
const values: readonly string[] = [
  '1',
  '-5',
  '9007199254740993',
  '9223372036854775807',
  '2u',
  '18446744073709551615u',
  '1.5',
  '2.0',
  '-0.0',
  '1e300',
  'double("NaN")',
  'double("Infinity")',
  '-double("Infinity")',
  '"a"',
  '""',
  'b"xyz"',
  'b""',
  'true',
  'null',
  '["a"]',
  '[1, 2]',
  '[]',
  '{"a": "b"}',
  '{"a": 1}',
  '{1: "a"}',
  '{true: "a"}',
  '{}',
  '[[1]]',
  '[{"a": 1}]',
  '{"a": {"b": "c"}}',
  '{"a": ["b"]}',
  '[b"x"]',
  '{"a": b"x"}',
  '[null]',
  '{"a": null}',
  '[1.5]',
  '[-0.0]',
  '[2u]',
  'duration("1h")',
  'duration("1.5s")',
  'duration("-1ns")',
  'timestamp("2023-01-02T03:04:05.006Z")',
  'timestamp("2023-01-02T03:04:05+02:00")',
  '[duration("1s")]',
  '{"a": timestamp(0)}',
  'int',
  'type("a")',
  '[int]',
  'optional.of("a")',
  'optional.none()',
  'optional.of(1)',
  'optional.of(optional.of("a"))',
  '[optional.of("a")]',
  '{"a": optional.none()}',
  'quantity("1.5Gi")',
  'url("http://a/b?c=d")',
  'ip("1.2.3.4")',
  'cidr("10.0.0.0/8")',
  'semver("1.2.3")',
  'format.dns1123Label()',
  '[quantity("1")]',
  '{"a": ip("::1")}',
  'authorizer',
  'authorizer.path("/a")',
  'authorizer.group("").resource("pods")',
  'authorizer.path("/healthz").check("get")',
  '[authorizer]',
  'JSONPatch{op: "add"}',
  '[JSONPatch{}]',
  'Object{}',
  'Object.spec{a: 1}',
  'Object.data.a{b: "c"}',
  '[Object{}]',
  '{"a": Object{}}',
  'google.protobuf.Empty{}',
  'google.protobuf.Value{number_value: 1.0}',
  'google.protobuf.Struct{fields: {"a": 1}}',
  'google.protobuf.Any{}',
  'google.protobuf.NullValue.NULL_VALUE',
  'google.protobuf.Duration{seconds: 5}',
  'google.protobuf.BytesValue{value: b"x"}',
  'object.metadata',
  'object.metadata.labels',
  'namespaceObject',
  'namespaceObject.metadata.creationTimestamp',
  'request',
  'oldObject',
  'request.userInfo',
  'request.kind',
  'object',
  'object.nope',
  '1 / int(object.metadata.name.size() - 6)',
  'dyn(1)',
  '{"a": 1}.map(k, k)',
  '[1, 2].map(x, x * 2)',
  '{"a": "b"}.transformMap(k, v, v)',
  '"a,b".split(",")',
];

interface MutationTarget {
  readonly resource: string;
  readonly apiGroup: string;
  /** The mutation that puts a value there. */
  readonly mutation: (value: string) => object;
}

const applied = (expression: string): object => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
const patched = (path: string, value: string): object => ({
  patchType: 'JSONPatch',
  jsonPatch: { expression: `[JSONPatch{op: "add", path: "${path}", value: ${value}}]` },
});

const ofSpec = (field: string) => (value: string) => applied(`Object{spec: Object.spec{${field}: ${value}}}`);
const core = (resource: string, mutation: MutationTarget['mutation']): MutationTarget => ({
  resource,
  apiGroup: '',
  mutation,
});
const own = (mutation: MutationTarget['mutation']): MutationTarget => ({
  resource: custom.plural,
  apiGroup: custom.group,
  mutation,
});

const places_: { readonly [name: string]: MutationTarget } = {
  'apply to data': core('configmaps', (value) => applied(`Object{data: Object.data{a: ${value}}}`)),
  'apply all data': core('configmaps', (value) => applied(`Object{data: ${value}}`)),
  'patch data': core('configmaps', (value) => patched('/data/a', value)),
  'apply any': own(ofSpec('any')),
  'patch any': own((value) => patched('/spec/any', value)),
};

const byteValues = [
  'b"xyz"',
  'b""',
  '"eHl6"',
  '"not base64!"',
  'base64',
  '1',
  'null',
  'b"\\xff\\xfe"',
  '["a"]',
  'dyn(b"x")',
];
const bytePlaces: { readonly [name: string]: MutationTarget } = {
  'apply binary data': core('configmaps', (value) => applied(`Object{binaryData: Object.binaryData{a: ${value}}}`)),
  'apply a map of binary data': core('configmaps', (value) => applied(`Object{binaryData: {"a": ${value}}}`)),
  'patch binary data': core('configmaps', (value) => patched('/binaryData', `{"a": ${value}}`)),
  'apply a secret': core('secrets', (value) => applied(`Object{data: Object.data{a: ${value}}}`)),
  'apply text of a secret': core('secrets', (value) => applied(`Object{stringData: Object.stringData{a: ${value}}}`)),
  'patch a secret': core('secrets', (value) => patched('/data', `{"a": ${value}}`)),
  'apply bytes': own(ofSpec('bytes')),
  'patch bytes': own((value) => patched('/spec/bytes', value)),
  'apply text': own(ofSpec('text')),
  'apply a list': own(ofSpec('list')),
};

const otherValues = ['1', '1.0', '-0.0', '1.5', '"a"', 'b"x"', 'timestamp(0)', 'duration("1s")', '2u', 'quantity("1")'];
const otherPlaces: { readonly [name: string]: MutationTarget } = Object.fromEntries(
  ['time', 'number', 'whole'].flatMap((field) => [
    [`apply a ${field}`, own(ofSpec(field))] as const,
    [`patch a ${field}`, own((value) => patched(`/spec/${field}`, value))] as const,
  ]),
);

interface Case extends MutationTarget {
  readonly name: string;
  readonly value: string;
  readonly failurePolicy: string;
}

function casesOf(
  places: { readonly [name: string]: MutationTarget },
  all: readonly string[],
  failurePolicy: string,
): Case[] {
  return Object.entries(places).flatMap(([name, place]) =>
    all.map((value) => ({ ...place, name: `${failurePolicy}: ${name}: ${value}`, value, failurePolicy })),
  );
}

const cases = [
  ...casesOf(places_, values, 'Fail'),
  ...casesOf(bytePlaces, byteValues, 'Fail'),
  ...casesOf(otherPlaces, otherValues, 'Fail'),
  ...casesOf(
    places_,
    values.filter((_, index) => index % 7 === 0),
    'Ignore',
  ),
];

const policyName = (index: number): string => `values-${String(index)}`;

function policy({ resource, apiGroup, mutation, value, failurePolicy }: Case, index: number): object {
  const expression = `object.metadata.name == "case-${String(index)}"`;
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicy',
    metadata: { name: policyName(index) },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [apiGroup], apiVersions: ['v1'], operations: ['CREATE'], resources: [resource] }],
      },
      reinvocationPolicy: 'Never',
      failurePolicy,
      matchConditions: [{ name: 'name', expression }],
      mutations: [mutation(value)],
    },
  };
}

function binding(index: number): object {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicyBinding',
    metadata: { name: policyName(index) },
    spec: {
      policyName: policyName(index),
      matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': space } } },
    },
  };
}

function request({ name, resource, apiGroup }: Case, index: number): Step {
  const object = `case-${String(index)}`;
  if (apiGroup !== '') {
    const path = places.custom(custom.group, custom.plural, space);
    return post(name, `${path}?dryRun=All`, instance(custom, object, { spec: { text: 't' } }));
  }
  if (resource === 'secrets') return post(name, `${places.secrets(space)}?dryRun=All`, secret(object));
  return post(name, `${places.configMaps(space)}?dryRun=All`, configMap(object, { b: '1' }));
}

/** Values of every type within the results of mutating policies: what they become, and what is said of others. */
export const mutationValues = script(
  'mutation-values',
  inNamespace(space),
  define(custom),
  cases.flatMap((each, index) => [
    post(`policy of ${each.name}`, policies, policy(each, index)),
    post(`binding of ${each.name}`, bindings, binding(index)),
  ]),
  post('the last', places.configMaps(space), configMap('last'), { settles: 'slowly' }),
  cases.map(request),
);
