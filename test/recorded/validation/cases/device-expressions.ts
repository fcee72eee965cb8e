import type { JsonObject } from '../../../../src/api/json/json.ts';
import type { KindCases, Mutation } from '../case.ts';
import { attributes, fields, language, limits, nested } from './device-expression-texts.ts';
import { values } from './values.ts';

// Expressions that select devices, or derive attributes of them.

const cel = (expression: string): JsonObject => ({ cel: { expression } });
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

interface VersionForm {
  readonly version: string;
  readonly exact: RequestOf;
}

const places: readonly VersionForm[] = [
  { version: 'v1', exact: exactly },
  { version: 'v1beta2', exact: exactly },
  { version: 'v1beta1', exact: flat },
];

function kindsOf({ version, exact }: VersionForm): KindCases[] {
  const requests = [...devices(exact), ...devices(alternative)];
  const apiVersion = `resource.k8s.io/${version}`;
  const metadata = { name: `recorded-selectors-${version}` };
  const createWith = { 'metadata.name': 'created' };
  const wanted = { requests: [exact(selecting(['device.driver == "a"', '1 == 1']))] };
  const other = { requests: [exact(selecting(['device.driver == "a"', 'unknown']))] };
  return [
    {
      resource: `${apiVersion}/resourceclaims`,
      createWith,
      base: { apiVersion, kind: 'ResourceClaim', metadata, spec: { devices: wanted } },
      create: values('spec.devices', ...requests),
      update: [{ 'metadata.labels': { a: 'b' } }, ...values('spec.devices', other)],
    },
    {
      resource: `${apiVersion}/resourceclaimtemplates`,
      createWith,
      base: { apiVersion, kind: 'ResourceClaimTemplate', metadata, spec: { spec: { devices: wanted } } },
      create: values('spec.spec.devices', ...requests),
      update: [{ 'metadata.labels': { a: 'b' } }, ...values('spec.spec.devices', other)],
    },
    {
      resource: `${apiVersion}/deviceclasses`,
      clusterScoped: true,
      createWith,
      base: { apiVersion, kind: 'DeviceClass', metadata, spec: { selectors: [cel('1 == 1')] } },
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

/** Stored expressions are not checked again, unless one of them changes. */
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
