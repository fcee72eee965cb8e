import {
  type BodyCase,
  bodyCase,
  fillTemplates,
  jsonType,
  type Path,
  paths,
  type Template,
  yamlType,
} from '../case.ts';

/** A number, spelled in ways that Go tells apart: as an integer, as a float, as a float although it is whole. */
const spellings = ['1', '-0', '1.0', '0.1e1', '1E0', '-0.0', '1.5', '2.50', '1e3', '1e20', '1e21', '2147483648.0'];

const head = '{"apiVersion":"bodies.example.com/v1","kind":"Meter","metadata":{"name":"x"},';

/** Values of meters, by the place of the number in them. */
const places: readonly string[] = [
  ...['integer', 'int32', 'number', 'double', 'either', 'text', 'listed', 'bounded', 'alternatives'].map(
    (name) => `"${name}":§`,
  ),
  '"integers":[1,§]',
  '"numbers":{"a":§}',
  '"set":[1,§]',
  '"keyed":[{"id":1},{"id":§}]',
  '"free":{"a":{"b":[§]}}',
  '"free":{"known":§}',
  '"unknown":§',
  '"integerRule":§',
  '"numberRule":§',
  '"eitherRule":§',
  '"defaulted":{"a":§}',
  '"policed":{"a":§}',
  ...['ruledInteger', 'ruledNumber', 'ruledEither', 'ruledFree'].map((name) => `"${name}":{"a":§}`),
  '"ruledList":[§]',
  '"ruledMap":{"a":§}',
  '"ruledFree":{"a":1,"b":[§]}',
];

const templates: readonly Template[] = places.map((place) => ({
  path: 'meter',
  text: `${head}${place}}`,
  values: spellings,
}));

/** A patch of the object that exists before all cases. */
function patchCase(type: string, body: BodyCase, path: Path): BodyCase {
  const word = /(json-patch|merge|strategic|apply)/.exec(type)?.[1] ?? '';
  const query = word === 'apply' ? '?fieldManager=m&force=true' : '';
  return {
    ...body,
    name: `${word} ${body.name}`,
    method: 'PATCH',
    path: `${paths[path]}/base${query}`,
    contentType: type,
  };
}

const few = ['1', '1.0', '1e1', '-0.0', '2.50', '1e21'];

function filled(path: Path, texts: readonly string[]): readonly BodyCase[] {
  return texts.flatMap((text) => few.map((value) => bodyCase(path, text.replaceAll('§', value), '')));
}

const member = /^"(\w+)":(.*)$/;

const patches: readonly BodyCase[] = [
  ...filled(
    'meter',
    places.map((place) => `{${place}}`),
  ).map((body) => patchCase('application/merge-patch+json', body, 'meter')),
  ...filled(
    'meter',
    places.map((place) => place.replace(member, '[{"op":"add","path":"/$1","value":$2}]')),
  ).map((body) => patchCase('application/json-patch+json', body, 'meter')),
  ...filled(
    'meter',
    places.map((place) => `${head.replace('"x"', '"base"')}${place}}`),
  ).map((body) => patchCase('application/apply-patch+yaml', body, 'meter')),
];

/** Patches of built-in kinds: typed fields, fields with a type of their own, and free-form JSON. */
const builtIn: readonly { readonly path: Path; readonly places: readonly string[] }[] = [
  {
    path: 'deployment',
    places: [
      '"spec":{"replicas":§}',
      '"spec":{"strategy":{"rollingUpdate":{"maxSurge":§}}}',
      '"spec":{"template":{"spec":{"terminationGracePeriodSeconds":§}}}',
      '"spec":{"template":{"spec":{"containers":[{"name":"c","image":"i","ports":[{"containerPort":§}]}]}}}',
      '"spec":{"template":{"spec":{"containers":[{"name":"c","image":"i","resources":{"limits":{"cpu":§}}}]}}}',
    ],
  },
  { path: 'configmap', places: ['"data":{"k":§}', '"immutable":§', '"metadata":{"generation":§}'] },
  { path: 'revision', places: ['"revision":§'] },
];

function patchesOf(path: Path, members: readonly string[]): readonly BodyCase[] {
  const merged = filled(
    path,
    members.map((place) => `{${place}}`),
  );
  const operations = members.map((place) => {
    const [key = '', ...rest] = place.split(':');
    return `[{"op":"replace","path":"/${JSON.parse(key)}","value":${rest.join(':')}}]`;
  });
  return [
    ...merged.map((body) => patchCase('application/merge-patch+json', body, path)),
    // Of other types than numbers, strategic merge patches name the Go type of what they got.
    ...(path === 'configmap'
      ? []
      : merged.map((body) => patchCase('application/strategic-merge-patch+json', body, path))),
    ...filled(path, operations).map((body) => patchCase('application/json-patch+json', body, path)),
  ];
}

const operations: readonly BodyCase[] = [
  '[{"op":"test","path":"/integers/0","value":1.0}]',
  '[{"op":"test","path":"/integers/0","value":1}]',
  '[{"op":"add","path":"/integer","value":1e1},{"op":"test","path":"/integer","value":1e1}]',
  '[{"op":"add","path":"/integer","value":1e1},{"op":"test","path":"/integer","value":10}]',
  '[{"op":"add","path":"/integers/0","value":1.0},{"op":"add","path":"/integers/0","value":2}]',
  '[{"op":"add","path":"/integers/-","value":3.0},{"op":"copy","from":"/integers/1","path":"/integerRule"}]',
  '[{"op":"add","path":"/ruledList","value":[1.0]},{"op":"move","from":"/ruledList/0","path":"/integerRule"}]',
  '[{"op":"add","path":"/integer","value":1.0},{"op":"add","path":"/integer/x","value":2}]',
  '[{"op":"add","path":"/kind","value":1.0}]',
  '[{"op":"add","path":"/apiVersion","value":1.0}]',
].map((text) => patchCase('application/json-patch+json', bodyCase('meter', text, ''), 'meter'));

/** Errors of the reference show the sign of a negative zero, and YAML keeps it in free-form JSON here. */
function isSigned({ name }: BodyCase): boolean {
  return name.includes('-0.0') && (/listed|bounded/.test(name) || /^(?:yaml|apply) .*ree"/.test(name));
}

/** Whole numbers written as floats, everywhere that they may be. */
export const writtenNumbers: readonly BodyCase[] = [
  ...fillTemplates(templates, jsonType),
  ...fillTemplates(templates, yamlType).map((body) => ({ ...body, name: `yaml ${body.name}` })),
  ...patches,
  ...operations,
  ...builtIn.flatMap(({ path, places: members }) => patchesOf(path, members)),
].filter((body) => !isSigned(body));

const integer = { type: 'integer' };
const either = { 'x-kubernetes-int-or-string': true };
const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** A schema whose rules accept any number of their type. */
function ruled(schema: object, ...rules: readonly string[]): object {
  return { ...schema, 'x-kubernetes-validations': rules.map((rule) => ({ rule })) };
}

const properties = {
  integer,
  int32: { ...integer, format: 'int32' },
  number: { type: 'number' },
  double: { type: 'number', format: 'double' },
  either,
  text: { type: 'string' },
  listed: { type: 'number', enum: [1, 2.5, 1000] },
  bounded: { type: 'number', minimum: 0.5, maximum: 1.25, multipleOf: 0.5 },
  alternatives: { type: 'number', anyOf: [{ multipleOf: 0.4 }, { minimum: 1.5 }], not: { minimum: 1e20 } },
  integers: { type: 'array', items: integer },
  numbers: { type: 'object', additionalProperties: { type: 'number', multipleOf: 0.5 } },
  set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'number' } },
  keyed: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['id'],
    items: { type: 'object', required: ['id'], properties: { id: integer } },
  },
  free: { ...free, properties: { known: integer } },
  integerRule: ruled(integer, 'self + 1 > 0'),
  numberRule: ruled({ type: 'number' }, 'self + 1.0 > 0.0', 'type(self) == double'),
  eitherRule: ruled(either, 'type(self) == int'),
  defaulted: {
    type: 'object',
    ...ruled({ properties: { a: integer, b: { ...integer, default: 1 } } }, 'self.a + self.b > 0'),
  },
  policed: { type: 'object', properties: { a: { type: 'number' } } },
  ruledInteger: ruled({ type: 'object', properties: { a: integer } }, 'self.a + 1 > 0'),
  ruledNumber: ruled({ type: 'object', properties: { a: { type: 'number' } } }, 'self.a + 1.0 > 0.0'),
  ruledEither: ruled({ type: 'object', properties: { a: either } }, 'self.a == 1 || self.a != "x"'),
  ruledFree: ruled({ ...free, properties: { a: integer } }, 'self.a + 1 > 0'),
  ruledList: ruled({ type: 'array', items: integer, maxItems: 5 }, 'self.all(x, x + 1 > 0)'),
  ruledMap: ruled(
    { type: 'object', maxProperties: 5, additionalProperties: { type: 'number' } },
    'self.all(k, self[k] + 1.0 > 0.0)',
  ),
};

/** The definition of meters. */
export const meters = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'meters.bodies.example.com' },
  spec: {
    group: 'bodies.example.com',
    names: { plural: 'meters', kind: 'Meter' },
    scope: 'Namespaced',
    versions: [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } } },
    ],
  },
};

/** What is patched. */
export const meter = {
  apiVersion: 'bodies.example.com/v1',
  kind: 'Meter',
  metadata: { name: 'base' },
  integers: [1, 2],
  ruledFree: { a: 1 },
};

/** A policy that uses numbers without a schema. */
export const meterPolicy = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'meters' },
  spec: {
    matchConstraints: {
      resourceRules: [
        { apiGroups: ['bodies.example.com'], apiVersions: ['v1'], operations: ['*'], resources: ['meters'] },
      ],
    },
    validations: [
      {
        expression: '!has(object.policed) || (type(object.policed.a) == int ? object.policed.a + 1 > 0 : false)',
        messageExpression: '"is a " + string(type(object.policed.a) == double ? "double" : "int")',
      },
    ],
  },
};

export const meterBinding = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'meters' },
  spec: { policyName: 'meters', validationActions: ['Deny'] },
};
