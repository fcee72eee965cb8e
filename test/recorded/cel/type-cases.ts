import type { Question } from './question.ts';

/* Names of types as identifiers and as constructors, in every environment that has types of its own. */

/** Messages and their fields, each with values that fit; those of the last row are unknown or not messages. */
const messages: { readonly [name: string]: { readonly [field: string]: readonly string[] } } = {
  'google.protobuf.Any': { type_url: ['"a/google.protobuf.Empty"'], value: ['b""', 'b"x"'] },
  'google.protobuf.Empty': {},
  'google.protobuf.FieldMask': { paths: ['["a"]'] },
  'google.protobuf.Struct': { fields: ['{"a": 1}', '{"a": google.protobuf.Value{}}', '{}'] },
  'google.protobuf.Struct.FieldsEntry': { key: ['"a"'], value: ['1', 'google.protobuf.Value{}'] },
  'google.protobuf.Value': {
    null_value: ['0', 'google.protobuf.NullValue.NULL_VALUE', '5', 'null'],
    number_value: ['1.5', '-0.0', 'double("NaN")'],
    string_value: ['"a"'],
    bool_value: ['true'],
    struct_value: ['{"a": 1}', 'google.protobuf.Struct{}'],
    list_value: ['[1, 2]', 'google.protobuf.ListValue{}'],
  },
  'google.protobuf.ListValue': { values: ['[1]', '[null, "a", 9007199254740993]', '[]'] },
  'google.protobuf.NullValue': { NULL_VALUE: ['0'] },
  'google.protobuf.NullValue.NULL_VALUE': {},
  'google.protobuf.Duration': {
    seconds: ['1', '-5', '315576000001', '9223372036854775807'],
    nanos: ['7', '-7', '3000000000', '2147483648'],
  },
  'google.protobuf.Timestamp': {
    seconds: ['1', '-62135596801', '253402300800'],
    nanos: ['7', '-1', '1500000000', '2147483648'],
  },
  'google.protobuf.BoolValue': { value: ['true'] },
  'google.protobuf.BytesValue': { value: ['b"x"'] },
  'google.protobuf.DoubleValue': { value: ['1.5', '-0.0'] },
  'google.protobuf.FloatValue': { value: ['1.1', '1e300', '-1e300', 'double("NaN")'] },
  'google.protobuf.Int32Value': { value: ['1', '2147483648', '-2147483649'] },
  'google.protobuf.Int64Value': { value: ['1', '9223372036854775807'] },
  'google.protobuf.UInt32Value': { value: ['1u', '4294967296u'] },
  'google.protobuf.UInt64Value': { value: ['1u', '18446744073709551615u'] },
  'google.protobuf.StringValue': { value: ['"a"'] },
  'google.protobuf.Unknown': { value: ['1'] },
  'google.protobuf': {},
};

/** Types of CEL and of Kubernetes' libraries and variables, which cannot be constructed but for some. */
const others = [
  'bool',
  'bytes',
  'double',
  'dyn',
  'int',
  'list',
  'map',
  'null_type',
  'string',
  'type',
  'uint',
  'error',
  'unknown',
  'any',
  'wrapper',
  'timestamp',
  'duration',
  'optional_type',
  'optional',
  'function',
  'object',
  'number',
  'net.IP',
  'net.CIDR',
  'kubernetes.URL',
  'kubernetes.Quantity',
  'kubernetes.Semver',
  'kubernetes.NamedFormat',
  'kubernetes.authorization.Authorizer',
  'kubernetes.authorization.PathCheck',
  'kubernetes.authorization.Decision',
  'kubernetes.authorization.GroupCheck',
  'kubernetes.authorization.ResourceCheck',
  'kubernetes.AdmissionRequest',
  'kubernetes.GroupVersionKind',
  'kubernetes.GroupVersionResource',
  'kubernetes.UserInfo',
  'kubernetes.Namespace',
  'kubernetes.NamespaceMetadata',
  'kubernetes.NamespaceSpec',
  'kubernetes.NamespaceStatus',
  'kubernetes.DRADevice',
  'kubernetes.NamespaceCondition',
  'kubernetes.SubjectAccessReviewSpec',
  'kubernetes.ResourceAttributes',
  'kubernetes.NonResourceAttributes',
  'kubernetes.FieldSelectorAttributes',
  'kubernetes.SelectorRequirement',
  'kubernetes.LabelSelectorAttributes',
  'quantity',
  'url',
  'ip',
  'cidr',
  'semver',
  'format',
  'authorizer',
  'math',
  'Object',
  'Object.spec',
  'Object.a.b',
  'Objects',
  'Object.metadata.labels',
  'JSONPatch',
  'JSONPatch.a',
  'sets',
  'jsonpatch',
  'type_self',
  'type_self.nested',
  'type_self.nested.inner',
  'type_self.items.@idx',
  'strings',
];

const names = [...Object.keys(messages), ...others];

/** Forms of any name. */
function forms(name: string): readonly string[] {
  return [
    name,
    `.${name}`,
    `dyn(${name})`,
    `type(${name})`,
    `${name} == ${name}`,
    `dyn(${name}) == type(dyn(1))`,
    `type(1) == ${name}`,
    `[${name}]`,
    `{"a": ${name}}`,
    `[1].map(x, ${name})`,
    `[1].all(x, type(x) == ${name})`,
    `string(${name})`,
    `"%s".format([${name}])`,
    `optional.of(${name})`,
    `[${name}, ${name}].all(t, t == ${name})`,
    `size(${name})`,
    `${name}.a`,
    `has(${name}.a)`,
    `${name}(1)`,
    `${name} in [${name}]`,
    `${name} == null`,
    `${name}{}`,
    `.${name}{}`,
    `${name}{nothing: 1}`,
    `${name}{?nothing: optional.none()}`,
    `${name}{}.nothing`,
    `type(${name}{})`,
    `type(${name}{}) == ${name}`,
    `dyn(${name}{})`,
    `${name}{} == ${name}{}`,
    `${name}{} == null`,
    `[${name}{}]`,
    `{"a": ${name}{}}`,
    `[1].map(x, ${name}{})`,
    `string(${name}{})`,
    `"%s".format([${name}{}])`,
    `has(${name}{}.nothing)`,
    `optional.of(${name}{})`,
    `optional.ofNonZeroValue(${name}{})`,
    `size(${name}{})`,
    `${name}{}.exists(x, true)`,
    `${name}{}[0]`,
    `${name}{} in [${name}{}]`,
    `true ? ${name}{} : ${name}{}`,
    `dyn(${name}{}) == 0`,
    `dyn(${name}{}) == dyn(null)`,
    `[${name}{}] == [1]`,
    `${name}{} < ${name}{}`,
    `x{a: ${name}}`,
    `${name}{a: 1, b: 2}`,
    `${name}{nothing: dyn(1)}`,
    `[1].exists(${name}, true)`,
  ];
}

const wrongValues = [
  '1',
  '"a"',
  'null',
  'dyn(1)',
  'dyn("a")',
  'dyn(null)',
  '1.5',
  '[1]',
  '{"a": 1}',
  '{1: 2}',
  '2u',
  'b"x"',
];
const wrongObjects = [
  'duration("1s")',
  'timestamp(0)',
  'type(1)',
  'quantity("1")',
  'optional.of(1)',
  'optional.none()',
];

function constructors(name: string, fields: { readonly [field: string]: readonly string[] }): readonly string[] {
  return Object.entries(fields).flatMap(([field, values]) => [
    ...values.flatMap((value) => [
      `${name}{${field}: ${value}}`,
      `${name}{${field}: dyn(${value})}`,
      `${name}{?${field}: optional.of(${value})}`,
      `${name}{${field}: ${value}}.${field}`,
      `has(${name}{${field}: ${value}}.${field})`,
      `[1].map(x, ${name}{${field}: ${value}})`,
      `type(${name}{${field}: ${value}})`,
      `${name}{${field}: ${value}} == ${name}{${field}: ${value}}`,
      `dyn(${name}{${field}: ${value}}) == ${value}`,
    ]),
    ...[...wrongValues, ...wrongObjects].flatMap((value) => [
      `${name}{${field}: ${value}}`,
      `${name}{${field}: dyn(${value})}`,
    ]),
    `${name}{}.${field}`,
    `has(${name}{}.${field})`,
    `${name}{?${field}: optional.none()}`,
    `${name}{${field}: 1, ${field}: 2}`,
    `${name}{?${field}: 1}`,
    `[${name}{}].map(x, x.${field})`,
  ]);
}

/** Fields of the types that mutations are written in. */
const patches = {
  op: ['"add"'],
  path: ['"/a"'],
  from: ['"/b"'],
  value: ['1', 'null', '"a"', 'Object{}', 'JSONPatch{}'],
};
const objects = {
  spec: ['1', 'Object.spec{}', 'Object.other{}', '[Object.spec{a: 1}]', 'JSONPatch{}', 'Object.spec{a: 1}'],
};

const environments = ['none', 'admission', 'mutation', 'authorization', 'claims', 'user', 'device', 'object'];

/** The environments whose types of a name differ. */
function environmentsOf(name: string): readonly string[] {
  if (name.startsWith('google.')) return ['none', 'mutation', 'device'];
  return /^[a-z_]+$/.test(name) ? ['none', 'admission', 'object'] : environments;
}

export function typeCases(): readonly Question[] {
  const ask = (name: string, expressions: readonly string[]): Question[] =>
    environmentsOf(name).flatMap((setting) => expressions.map((expression) => ({ setting, expression })));
  return [
    ...names.flatMap((name) => ask(name, forms(name))),
    ...Object.entries(messages).flatMap(([name, fields]) => ask(name, constructors(name, fields))),
    ...ask(
      'google.',
      names.map((name) => `google.protobuf.Value{string_value: ${name}}`),
    ),
    ...ask('JSONPatch', [...constructors('JSONPatch', patches), ...constructors('Object', objects)]),
  ];
}
