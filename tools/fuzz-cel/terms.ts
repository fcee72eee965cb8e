import {
  type CelType,
  listType,
  mapType,
  opaqueType,
  optionalType,
  structType,
  types,
} from '../../src/cel/types/cel-type.ts';

/* Expressions of one step, by type. */

const texts: readonly string[] = [
  '""',
  '"a"',
  '"abc"',
  '"A-b-C"',
  '" \\u00e9\\U0001F600 "',
  '"x,y,z"',
  '"10"',
  '"-3.5"',
  '"true"',
  '"1h5m"',
  '"2023-01-02T03:04:05Z"',
  '"10.0.0.1"',
  '"::ffff:1.2.3.4"',
  '"fe80::1"',
  '"10.0.0.0/8"',
  '"2001:db8::/32"',
  '"1.5Gi"',
  '"-200m"',
  '"1e3"',
  '"1.2.3"',
  '"v1.2.3-rc.1+b"',
  '"https://u@h:8080/p?q=1&q=2"',
  '"%s|%d"',
  '"%.2f"',
  '"[a-c]+"',
  '"(a)(b)?"',
  '"("',
  '"dns1123Label"',
  '"Europe/Berlin"',
  '"+01:30"',
  '"YWJj"',
  '"{1}"',
  '"$0"',
];

/** Names of messages, some of which the checker alone knows. */
const messageNames = [
  'Any',
  'Empty',
  'Struct',
  'Value',
  'ListValue',
  'Int64Value',
  'Duration',
  'NullValue.NULL_VALUE',
].map((name) => `google.protobuf.${name}`);

/** A message, its type as a value, and the types of its fields. */
export interface Message {
  readonly name: string;
  readonly type: CelType;
  readonly fields: { readonly [name: string]: CelType };
}

const wrapped = [
  ...(['BoolValue', 'BytesValue', 'DoubleValue', 'FloatValue', 'Int32Value', 'Int64Value', 'StringValue'] as const),
  ...(['UInt32Value', 'UInt64Value'] as const),
];
const wrappedTypes: { readonly [name in (typeof wrapped)[number]]: CelType } = {
  BoolValue: types.bool,
  BytesValue: types.bytes,
  DoubleValue: types.double,
  FloatValue: types.double,
  Int32Value: types.int,
  Int64Value: types.int,
  StringValue: types.string,
  UInt32Value: types.uint,
  UInt64Value: types.uint,
};

const anyList = listType(types.dyn);
const anyMap = mapType(types.string, types.dyn);
const times = { seconds: types.int, nanos: types.int };

/** Messages that expressions construct. */
export const messages: readonly Message[] = [
  ...wrapped.map((name) => ({ name, type: wrappedTypes[name], fields: { value: wrappedTypes[name] } })),
  { name: 'Duration', type: types.duration, fields: times },
  { name: 'Timestamp', type: types.timestamp, fields: times },
  { name: 'Empty', type: types.dyn, fields: {} },
  { name: 'Any', type: types.dyn, fields: { type_url: types.string } },
  { name: 'Struct', type: mapType(types.string, types.int), fields: { fields: anyMap } },
  { name: 'Struct.FieldsEntry', type: types.dyn, fields: { key: types.string, value: types.dyn } },
  { name: 'ListValue', type: listType(types.double), fields: { values: anyList } },
  {
    name: 'Value',
    type: types.dyn,
    fields: {
      null_value: types.int,
      number_value: types.double,
      string_value: types.string,
      bool_value: types.bool,
      struct_value: anyMap,
      list_value: anyList,
    },
  },
].map((message) => ({ ...message, name: `google.protobuf.${message.name}` }));

const byKind: { readonly [kind: string]: readonly string[] } = {
  bool: ['true', 'false'],
  bytes: ['b""', 'b"abc"', "b'\\xff\\x00'"],
  double: ['0.0', '1.5', '-2.25', '1e10', '1e300', 'double("NaN")', 'double("Infinity")', '9007199254740993.0'],
  duration: ['duration("1h2m3s")', 'duration("-1.5s")', 'duration("0s")', 'duration("2562047h")'],
  int: ['0', '1', '-1', '2', '3', '7', '100', '-9223372036854775808', '9223372036854775807', '9007199254740993'],
  null: ['null'],
  string: texts,
  timestamp: [
    'timestamp("2023-01-02T03:04:05.678Z")',
    'timestamp("1969-12-31T23:59:59.5-08:00")',
    'timestamp(0)',
    'timestamp("9999-12-31T23:59:59Z")',
    'timestamp("0001-01-01T00:00:00Z")',
  ],
  type: [
    'int',
    'string',
    'type(1)',
    'type([])',
    'bool',
    'list',
    'google.protobuf.Timestamp',
    'net.IP',
    ...messageNames,
  ],
  uint: ['0u', '1u', '3u', '18446744073709551615u'],
  dyn: ['dyn(1)', 'dyn("a")', 'dyn([1, "b"])', 'dyn({"a": 1})', 'dyn(1.0)', 'dyn(null)', 'dyn(2u)'],
};

const byName: { readonly [name: string]: readonly string[] } = {
  'net.IP': ['ip("10.1.2.3")', 'ip("::1")', 'ip("fe80::1")', 'ip("224.0.0.1")'],
  'net.CIDR': ['cidr("10.0.0.0/8")', 'cidr("2001:db8::/32")', 'cidr("10.1.2.3/24")'],
  'kubernetes.URL': ['url("https://a.b:80/c?d=e")', 'url("/x/y")', 'url("http://[::1]/")'],
  'kubernetes.Quantity': [
    'quantity("1.5Gi")',
    'quantity("200m")',
    'quantity("-3")',
    'quantity("1e20")',
    'quantity("0.1n")',
    'quantity("9223372036854775807")',
    'quantity("50k")',
  ],
  'kubernetes.Semver': ['semver("1.2.3")', 'semver("0.1.0-rc.1+x")', 'semver("v1.0", true)'],
  'kubernetes.NamedFormat': ['format.dns1123Label()', 'format.uri()', 'format.named("date").value()', 'format.uuid()'],
  'kubernetes.authorization.Authorizer': ['authorizer'],
  Object: ['Object{}', 'Object{spec: Object.spec{a: 1}}', 'Object.spec{}'],
  JSONPatch: ['JSONPatch{}', 'JSONPatch{op: "add", path: "/a", value: Object{}}'],
};

/** Literals and simple calls of the type; empty for types that are made by calls only. */
export function termsOf({ kind, name }: CelType): readonly string[] {
  return byName[name] ?? byKind[kind] ?? [];
}

/** Variables of the settings, by the text of their type. */
export const variables: readonly (readonly [setting: string, text: string, type: CelType])[] = [
  ...objectFields({
    name: types.string,
    free: types.string,
    replicas: types.int,
    ratio: types.double,
    enabled: types.bool,
    port: types.dyn,
    otherPort: types.dyn,
    when: types.timestamp,
    day: types.timestamp,
    wait: types.duration,
    data: types.bytes,
    color: types.string,
    maybe: types.string,
    notNull: types.string,
    labels: mapType(types.string, types.string),
    few: mapType(types.string, types.string),
    counts: mapType(types.string, types.int),
    'nested.inner.value': types.int,
    'nested.inner.list': listType(types.string),
    'items[0].key': types.string,
    'items[1].value': types.int,
    names: listType(types.string),
    bounded: listType(types.string),
    numbers: listType(types.int),
    doubles: listType(types.double),
    set: listType(types.string),
    otherSet: listType(types.string),
    matrix: listType(listType(types.int)),
    anything: types.dyn,
    'partly.known': types.string,
    map: listType(types.dyn),
    otherMap: listType(types.dyn),
    items: listType(types.dyn),
    dash__dash__ed: types.string,
    __namespace__: types.string,
  }),
  ...['object', 'object.items', 'object.n', 'params', 'request.options', 'oldObject'].map(
    (text) => ['mutation', text, types.dyn] as const,
  ),
  ...['request.name', 'request.kind.group', 'namespaceObject.metadata.name'].map(
    (text) => ['mutation', text, types.string] as const,
  ),
  ['mutation', 'request.userInfo.groups', listType(types.string)],
  ['mutation', 'request.dryRun', types.bool],
  ['plain', 'd', types.dyn],
  ['plain', 'd.a', types.dyn],
  ['plain', 'd.b', types.dyn],
  ['plain', 'd.c', types.dyn],
  ['plain', 'd.e.f', types.dyn],
  ['plain', 'd.n', types.dyn],
  ['plain', 'd.missing', types.dyn],
  ['plain', 'l', types.dyn],
  ['plain', 's', types.dyn],
  ['plain', 'n', types.dyn],
];

function objectFields(fields: { readonly [name: string]: CelType }): (readonly [string, string, CelType])[] {
  return Object.entries(fields).map(([name, type]) => ['object', `self.${name}`, type]);
}

export const scalarTypes: readonly CelType[] = [
  types.bool,
  types.bytes,
  types.double,
  types.duration,
  types.int,
  types.string,
  types.timestamp,
  types.uint,
  types.string,
  types.int,
  types.bool,
];

/** The types that random expressions may have. */
export const compositeTypes: readonly CelType[] = [
  listType(types.int),
  listType(types.string),
  listType(types.double),
  mapType(types.string, types.int),
  optionalType(types.string),
  optionalType(types.int),
  types.dyn,
  types.null,
  ...['Object', 'JSONPatch'].map((name) => structType(name)),
  ...['net.IP', 'net.CIDR'].map((name) => opaqueType(name)),
  ...['URL', 'Quantity', 'Semver', 'NamedFormat'].map((name) => structType(`kubernetes.${name}`)),
];
