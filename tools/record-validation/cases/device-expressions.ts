import type { JsonObject } from '../../../src/api/json.ts';
import type { KindCases, Mutation } from '../case.ts';
import { values } from './values.ts';

// Expressions that select devices, or derive attributes of them.

const cel = (expression: string): JsonObject => ({ cel: { expression } });
const repeated = (count: number, part: string, separator: string): string =>
  Array.from({ length: count }, () => part).join(separator);
const [attributes, capacity] = ['device.attributes["gpu.example.com"]', 'device.capacity["gpu.example.com"]'];
const nested = (depth: number, range: string, body: string): string =>
  Array.from({ length: depth }, (_, index) => `${range}.all(k${index}, `).join('') + body + ')'.repeat(depth);

/** Of devices and their fields. */
const fields: readonly string[] = [
  'true',
  'device.driver == "gpu.example.com"',
  'device.driver.startsWith("gpu")',
  'device.driver.matches("^gpu.*$")',
  'device.driver == 1',
  'device.driver',
  'has(device.driver)',
  'device',
  'device == device',
  'type(device) == string',
  'device.name == "x"',
  'device.Driver == "x"',
  'device["driver"] == "x"',
  'device.?driver.hasValue()',
  'device.?driver',
  'kubernetes.DRADevice{driver: "x"} == device',
  'type(device) == kubernetes.DRADevice',
  'Device{} == device',
  'device.allowMultipleAllocations',
  'device.allowMultipleAllocations == true',
  'has(device.allowMultipleAllocations)',
  'device.allowMultipleAllocations == 1',
  'device.allowMultipleAllocations ? "a" : "b"',
  'has(device.attributes)',
  'device.attributes',
  'device.attributes.size() > 0',
  'size(device.attributes)',
  '"gpu.example.com" in device.attributes',
  '1 in device.attributes',
  attributes,
  `${attributes}.size() == 3`,
  `${attributes}.model`,
  `${attributes}["model"]`,
  `${attributes}.model == "x"`,
  `${attributes}.model == 1 && ${attributes}.model == true`,
  `${attributes}.model + "x" == "ax"`,
  `${attributes}.model + 1`,
  `!${attributes}.model`,
  `${attributes}.model && true`,
  `${attributes}.model ? true : false`,
  `${attributes}.model.startsWith("x")`,
  `${attributes}.model.size() > 2`,
  `size(${attributes}.model) > 2`,
  `${attributes}.model.unknown`,
  `${attributes}.model.unknown == 1`,
  `${attributes}.model[0] == 1`,
  `${attributes}.model.exists(m, m == "x")`,
  `${attributes}.model.all(m, m.startsWith("x"))`,
  `"x" in ${attributes}.model`,
  `${attributes}.model.includes("x")`,
  `["a"].includes(${attributes}.model)`,
  `dyn(${attributes}.model)`,
  `[${attributes}.model]`,
  `type(${attributes}.model) == string`,
  `string(${attributes}.model) == "x"`,
  `int(${attributes}.model) == 1`,
  `bool(${attributes}.model)`,
  `has(${attributes}.model)`,
  `has(${attributes}["model"])`,
  `${attributes}.?model.orValue("x") == "x"`,
  `${attributes}.?model.orValue(true)`,
  `${attributes}[?"model"].hasValue()`,
  `${attributes}.?model.optMap(m, m == "x").orValue(false)`,
  'device.attributes[?"gpu.example.com"].?model.orValue("") == "x"',
  'device.attributes.gpu.model == "x"',
  'device.attributes["gpu.example.com/model"] == "x"',
  'device.attributes[1].model == "x"',
  `${attributes}.exists(k, k == "model")`,
  `${attributes}.all(k, v, k != v)`,
  `${attributes}.exists(k, v, v == 1)`,
  `${attributes}.transformList(k, v, v == 1)`,
  `${attributes}.transformMap(k, v, v).size() > 1`,
  'device.attributes.all(d, device.attributes[d].all(k, k.size() < 10))',
  `${attributes}.version.isGreaterThan(semver("1.0.0"))`,
  `${attributes}.version.compareTo(semver("1.0.0")) >= 0`,
  `${attributes}.version.isLessThan("1.0.0")`,
  `${attributes}.version == semver("1.0.0")`,
  `semver("v1.0", true).major() == 1`,
  'semver("1.2.3").major()',
  'semver(1) == semver("1.0.0")',
  'isSemver("1.0.0")',
  'device.capacity',
  capacity,
  `${capacity}.memory`,
  `${capacity}.memory == quantity("10Gi")`,
  `${capacity}.memory.compareTo(quantity("10Gi")) >= 0`,
  `${capacity}["memory"].isGreaterThan(quantity("10Gi"))`,
  `${capacity}.memory > 10`,
  `${capacity}.memory > quantity("1")`,
  `${capacity}.memory.isInteger()`,
  `${capacity}.memory.asInteger() > 10`,
  `${capacity}.memory.asApproximateFloat() > 1.5`,
  `${capacity}.memory.add(1).sub(quantity("1")).sign() == 1`,
  `${capacity}.memory.unknown()`,
  `${capacity}.memory.value`,
  `has(${capacity}.memory)`,
  `${capacity}.?memory.orValue(quantity("0")).isLessThan(quantity("1"))`,
  `${capacity}.all(k, v, v.isInteger())`,
  'quantity("1") == quantity("2")',
  'isQuantity("1")',
];

/** Of the language and its libraries. */
const language: readonly string[] = [
  '',
  ' ',
  '1',
  '1.5',
  '"x"',
  'null',
  '[]',
  '{}',
  '[true]',
  'b"x"',
  '1u == 1u',
  'bool',
  'dyn(true)',
  'optional.of(true)',
  'optional.none()',
  'duration("1s")',
  'timestamp("2020-01-01T00:00:00Z")',
  'duration("x") == duration("1s")',
  '"a".matches("(")',
  'true ||',
  'device.driver ==',
  'device.driver = "x"',
  'device..driver',
  '(true',
  'true)',
  'a b',
  '"unterminated',
  '$x',
  'unknown',
  'unknown == 1 && other == 2',
  'self.x == 1',
  'object.spec == 1',
  'request.name == "x"',
  'authorizer.group("").resource("pods").check("get").allowed()',
  'type(authorizer.group("").resource("").fieldSelector("")) == string',
  'variables.x == 1',
  'nothing(device)',
  'device.nothing()',
  '1 == "x"',
  '1 + "x" == 2',
  'true && 1',
  '[1, "a"].size() == 2',
  '{"a": 1, 2: "b"}.size() == 2',
  '1 < 1.5',
  'has(true)',
  '[1, 2].all(1, true)',
  '[1, 2].exists_one(x, x == 1)',
  '[1, 2].map(x, x + 1).filter(x, x > 1).size() == 1',
  '[1, 2].all(i, v, i < v)',
  '[1, 2].transformMap(i, v, v)[0] == 1',
  '[[1], [2]].flatten().sum() == 3',
  '[3, 1].sort() == [1, 3]',
  '[3, 1].sortBy(x, -x)[0] == 3',
  'lists.range(3).distinct().reverse().size() == 3',
  '[1, 2].slice(0, 1).isSorted()',
  '[1].includes(1)',
  'sets.contains([1], [1])',
  'sets.intersects(["a"], [device.driver])',
  '"a,b".split(",").join("-").upperAscii().lowerAscii() == "a-b"',
  '"a".replace("a", "b").trim().indexOf("b") == 0',
  '"%s".format([device.driver]) == "x"',
  'strings.quote("x") == "x"',
  'url("https://a").getHost() == "a"',
  'ip("10.0.0.1").family() == 4',
  'cidr("10.0.0.0/8").containsIP("10.0.0.1")',
  'format.dns1123Label().validate(device.driver).hasValue()',
  '"a".find("[a-z]+") == "a"',
  'math.greatest(1, 2) == 2',
  'base64.encode(b"x") == "x"',
  'cel.bind(d, device.driver, d == d + "")',
  `cel.bind(gpu, ${attributes}, gpu.model == "x" && gpu.?family.orValue("") == "y")`,
  `cel.bind(m, ${capacity}.memory, m)`,
  'cel.bind(1, 2, 3)',
  'cel.bind(a.b, 2, true)',
  'cel.bind(x, y, x)',
  'cel.bind(x, 1)',
  'other.bind(x, 1, true)',
  'cel.bind(x, true, cel.bind(y, x, y && x))',
  'cel.bind(device, true, device)',
  'cel.bind(__result__, true, __result__)',
  '"\u{1f600}" == device.driver && unknown',
  'true //\n&& unknown\n|| other',
];

/** Around the limits of length, depth and cost. */
const limits: readonly string[] = [
  `"${'x'.repeat(10 * 1024 - 10)}" != ""`,
  `"${'x'.repeat(10 * 1024)}" != ""`,
  `"${'\u00e4'.repeat(5 * 1024)}" != ""`,
  `${'('.repeat(100)}true${')'.repeat(100)}`,
  `${'('.repeat(300)}true${')'.repeat(300)}`,
  `${'!'.repeat(2)}true`,
  repeated(500, 'true', ' && '),
  nested(2, 'device.attributes', 'device.driver != k0'),
  nested(3, 'device.attributes', 'k0 != k1'),
  nested(4, 'device.attributes', 'k0 != k1'),
  nested(3, attributes, 'k0.matches("^[a-z]*$")'),
  nested(4, attributes, 'true'),
  nested(5, 'device.capacity', 'true'),
  nested(3, capacity, 'k0 == k1'),
  nested(4, capacity, 'device.allowMultipleAllocations'),
  nested(3, `${attributes}.model`, 'k0 == k1'),
  nested(3, attributes, `${attributes}[k0] == ${attributes}[k1]`),
  nested(3, attributes, `${attributes}.model == ${attributes}.family`),
  nested(3, attributes, `${attributes}.model.contains(${attributes}.family)`),
  nested(3, attributes, 'device.driver.contains(device.driver)'),
  nested(3, attributes, `device.driver.matches(${attributes}.model)`),
  nested(3, attributes, `${attributes}.model + ${attributes}.family == device.driver`),
  nested(3, capacity, `${capacity}.memory == ${capacity}.other`),
  nested(2, capacity, `${capacity}.memory == ${capacity}[k0]`),
  nested(3, 'device.attributes.gpu', 'k0 == k1'),
  nested(1, 'device.attributes.gpu', 'device.attributes.gpu.x == 1'),
  'device.attributes == device.attributes',
  'device.attributes.gpu == device.attributes.gpu',
  `${attributes} == ${attributes}`,
  `${capacity} == ${capacity}`,
  'device.capacity == device.capacity',
  nested(2, attributes, 'device == device'),
  nested(3, attributes, 'device.allowMultipleAllocations == device.allowMultipleAllocations'),
  nested(2, attributes, `cel.bind(m, ${attributes}.model, m == m)`),
  nested(3, attributes, `cel.bind(m, device.driver, m.contains(m))`),
  `cel.bind(m, device.attributes, ${nested(3, 'm', 'k0 != k1')})`,
  nested(2, attributes, `sets.contains([device.driver], [k0, k1])`),
  nested(2, `${attributes}.model`, 'true'),
  nested(1, `${attributes}.model`, `${attributes}.model.includes(k0)`),
  `[${repeated(1000, '1', ', ')}].all(a, [1, 2, 3].all(b, a != b))`,
  `lists.range(1000000).all(a, a >= 0)`,
  nested(4, '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]', 'true'),
];

const expressions = [...fields, ...language, ...limits];

/** What differs between places is shown by these. */
const few: readonly string[] = [
  'true',
  'device.driver == "x"',
  '1',
  'unknown == 1',
  'true ||',
  'device.allowMultipleAllocations',
  `${attributes}.model`,
  `${attributes}.model.includes("x")`,
  limits[1] ?? '',
  nested(4, attributes, 'true'),
];

const selecting = (list: readonly string[], more: JsonObject = {}): JsonObject => ({
  deviceClassName: 'gpu',
  allocationMode: 'ExactCount',
  count: 1,
  selectors: list.map(cel),
  ...more,
});

type RequestOf = (wanted: JsonObject) => JsonObject;
const exactly: RequestOf = (wanted) => ({ name: 'a', exactly: wanted });
const flat: RequestOf = (wanted) => ({ name: 'a', ...wanted });
const alternative: RequestOf = (wanted) => ({
  name: 'a',
  firstAvailable: [
    { name: 'x', deviceClassName: 'gpu' },
    { name: 'y', ...wanted },
  ],
});

function devices(requestOf: RequestOf): JsonObject[] {
  const bad = { requests: [requestOf(selecting(few.slice(2), { deviceClassName: 'A b', count: -1 }))] };
  return [...few.map((text) => ({ requests: [requestOf(selecting([text]))] })), bad];
}

interface Place {
  readonly version: string;
  readonly exact: RequestOf;
}

const places: readonly Place[] = [
  { version: 'v1', exact: exactly },
  { version: 'v1beta2', exact: exactly },
  { version: 'v1beta1', exact: flat },
];

function kindsOf({ version, exact }: Place): KindCases[] {
  const requests = [...devices(exact), ...devices(alternative)];
  const apiVersion = `resource.k8s.io/${version}`;
  const metadata = { name: `recorded-selectors-${version}` };
  const createWith = { 'metadata.name': 'created' };
  const wanted = { requests: [exact(selecting(['device.driver == "a"', '1 == 1']))] };
  const other = { requests: [exact(selecting(['device.driver == "a"', 'unknown']))] };
  return [
    {
      resource: `${apiVersion}/resourceclaims`,
      ...{ createWith, base: { apiVersion, kind: 'ResourceClaim', metadata, spec: { devices: wanted } } },
      create: values('spec.devices', ...requests),
      update: [{ 'metadata.labels': { a: 'b' } }, ...values('spec.devices', other)],
    },
    {
      resource: `${apiVersion}/resourceclaimtemplates`,
      ...{
        createWith,
        base: { apiVersion, kind: 'ResourceClaimTemplate', metadata, spec: { spec: { devices: wanted } } },
      },
      create: values('spec.spec.devices', ...requests),
      update: [{ 'metadata.labels': { a: 'b' } }, ...values('spec.spec.devices', other)],
    },
    {
      resource: `${apiVersion}/deviceclasses`,
      clusterScoped: true,
      ...{ createWith, base: { apiVersion, kind: 'DeviceClass', metadata, spec: { selectors: [cel('1 == 1')] } } },
      create: few.map((text) => ({ 'spec.selectors': [cel(text)] })),
      update: [...few, '1 == 1'].map((text) => ({ 'spec.selectors': [cel(text)] })),
    },
  ];
}

function classOf(name: string, create: readonly string[]): KindCases {
  const apiVersion = 'resource.k8s.io/v1';
  return {
    resource: `${apiVersion}/deviceclasses`,
    clusterScoped: true,
    base: { apiVersion, kind: 'DeviceClass', metadata: { name }, spec: { selectors: [cel('true')] } },
    createWith: { 'metadata.name': 'created' },
    create: create.map((text) => ({ 'spec.selectors': [cel(text)] })),
  };
}

const stored = ['unknown', nested(4, attributes, 'true'), limits[1] ?? '', 'device.driver'].map(cel);
const longParameters = { opaque: { driver: 'a.b', parameters: { a: 'x'.repeat(10 * 1024) } } };

/** Stored expressions are not judged again, unless one of them changes. */
const planted: KindCases = {
  ...classOf('recorded-planted', []),
  planted: { 'spec.selectors': stored, 'spec.config': [longParameters] },
  update: [
    {},
    { 'metadata.labels': { a: 'b' } },
    { 'spec.selectors': [...stored, cel('true')] },
    { 'spec.selectors': stored.toReversed() },
    { 'spec.selectors': stored.slice(0, 2) },
    { 'spec.selectors': undefined },
    { 'spec.selectors': [cel('true')] },
    { 'spec.extendedResourceName': 'gpu' },
    { 'spec.config': [longParameters, { opaque: { driver: 'a.b', parameters: {} } }] },
    { 'spec.config': [{}] },
  ],
};

/** In all versions: recorded with `--runtime-config=resource.k8s.io/v1beta1=true,resource.k8s.io/v1beta2=true`. */
export const deviceVersionCases: readonly KindCases[] = places.slice(1).flatMap(kindsOf);

export const deviceExpressionCases: readonly KindCases[] = [
  classOf('recorded-expressions', expressions),
  ...places.slice(0, 1).flatMap(kindsOf),
];

export const plantedDeviceCases: readonly KindCases[] = [planted];

const derived = (list: readonly JsonObject[], constraints: readonly JsonObject[]): Mutation => ({
  'spec.devices': {
    requests: [exactly({ deviceClassName: 'gpu', derivedAttributes: [...list] })],
    constraints: [...constraints],
  },
});
const matched = (name: string, ...requests: string[]): JsonObject => ({ matchAttribute: name, requests });
const deriving = (...texts: string[]): Mutation =>
  derived(
    texts.map((expression, index) => ({ name: `derived/a${index}`, expression })),
    texts.map((_, index) => matched(`derived/a${index}`)),
  );

/** Results of every type. */
const results: readonly string[] = [
  'true',
  '1',
  '"x"',
  'semver("1.0.0")',
  `${attributes}.model`,
  'dyn(1)',
  '[1]',
  '["x"]',
  '[true]',
  '[semver("1.0.0")]',
  `[${attributes}.model]`,
  '[[1]]',
  '[]',
  '1.5',
  '1u',
  'null',
  '{}',
  'device',
  'quantity("1")',
  'optional.of(1)',
  'duration("1s")',
  '[1.5]',
  'unknown',
  '"x',
  '',
  limits[1] ?? '',
  nested(4, attributes, 'true'),
];

const derivedClaims: readonly Mutation[] = [
  ...results.map((text) => deriving(text)),
  deriving(...Array.from({ length: 3 }, () => nested(3, attributes, 'k0 != k1'))),
  deriving(...Array.from({ length: 33 }, () => 'true')),
  deriving(nested(4, attributes, 'true'), 'true'),
  derived([{ name: 'derived/a', expression: 'true' }], []),
  derived([{ name: 'derived/a', expression: 'true' }], [matched('derived/a', 'a')]),
  derived([{ name: 'derived/a', expression: 'true' }], [matched('derived/a', 'b')]),
  derived([{ name: 'derived/a', expression: 'true' }], [{ distinctAttribute: 'derived/a' }]),
  derived(
    [
      { name: 'derived/a', expression: '1' },
      { name: 'derived/a', expression: '2' },
    ],
    [matched('derived/a')],
  ),
  derived(
    [{}, { name: '', expression: '' }, { name: 'x' }, { name: 'A b/c d' }, { name: 'a/b/c', expression: '1' }],
    [],
  ),
  derived(
    [],
    ['a/b/c', 'A b', 'a', 'x'.repeat(33), '/', 'a.b/'].map((name) => matched(name)),
  ),
  ...['a', 'a/y', 'a/x', 'b', ''].map((target): Mutation => ({
    'spec.devices': {
      requests: [alternative({ deviceClassName: 'gpu', derivedAttributes: [{ name: 'derived/a', expression: '1' }] })],
      constraints: [matched('derived/a', ...(target === '' ? [] : [target]))],
    },
  })),
];

const claims = kindsOf({ version: 'v1', exact: exactly }).slice(0, 1);

/** Recorded with these gates. */
export const deviceListCases: readonly KindCases[] = [
  classOf('recorded-expressions', [...fields, ...limits]),
  ...claims.map((each) => ({ ...each, create: derivedClaims, update: [{ 'metadata.labels': { a: 'b' } }] })),
].map((each) => ({ ...each, gates: { DRADerivedAttributes: true, DRAListTypeAttributes: true } }));

/** Recorded without this gate. */
export const devicePlainCases: readonly KindCases[] = [
  { ...classOf('recorded-expressions', fields.slice(0, 30)), gates: { DRAConsumableCapacity: false } },
];
