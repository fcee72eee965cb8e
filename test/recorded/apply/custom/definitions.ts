import type { JsonObject } from '../../../../src/api/json/json.ts';
import type { JsonSchema } from '../../../../src/schema/custom/json-schema.ts';

export const customGroup = 'apply.example.com';

/** A custom kind; sequences of a kind with several schemas go through them in turn. */
export interface CustomKind {
  /** The name of the case, and the plural of its definition. */
  readonly label: string;
  readonly kind: string;
  readonly versions: readonly string[];
  readonly schemas: readonly JsonSchema[];
}

const text: JsonSchema = { type: 'string' };
const integer: JsonSchema = { type: 'integer' };
const object = (properties: { readonly [name: string]: JsonSchema }, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});
const list = (items: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: 'array', items, ...more });
const mapOf = (values: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  additionalProperties: asJson(values),
  ...more,
});
const keyed = (...keys: string[]): JsonSchema => ({
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});
const set: JsonSchema = { 'x-kubernetes-list-type': 'set' };
const atomicList: JsonSchema = { 'x-kubernetes-list-type': 'atomic' };
const atomic: JsonSchema = { 'x-kubernetes-map-type': 'atomic' };
const granular: JsonSchema = { 'x-kubernetes-map-type': 'granular' };
const preserving: JsonSchema = { 'x-kubernetes-preserve-unknown-fields': true };
const intOrString: JsonSchema = { 'x-kubernetes-int-or-string': true };

/** Unions in schemas are free JSON. */
function asJson(schema: JsonSchema): JsonObject {
  return schema as unknown as JsonObject;
}

const ports = list(
  object(
    { port: integer, protocol: { type: 'string', default: 'TCP' }, name: text, target: intOrString },
    { required: ['port'] },
  ),
  keyed('port', 'protocol'),
);

const nests = object({
  spec: object({
    replicas: { type: 'integer', default: 1 },
    note: text,
    ratio: { type: 'number' },
    enabled: { type: 'boolean', default: true },
    since: { type: 'string', format: 'date-time' },
    limit: intOrString,
    tags: list(text, set),
    numbers: list(integer, set),
    groups: list(
      object(
        {
          name: text,
          members: list(
            object({ id: integer, role: text, tags: list(text, set), rank: integer }, { required: ['id'] }),
            keyed('id'),
          ),
          ports,
          options: mapOf(text),
        },
        { required: ['name'] },
      ),
      keyed('name'),
    ),
    args: list(text),
    rows: list(object({ a: text, b: integer }), atomicList),
    grid: list(list(integer)),
    reference: object({ name: text, key: text }, atomic),
    settings: object({ mode: text, level: { type: 'integer', default: 3 } }, granular),
    labels: mapOf(text),
    frozen: mapOf(text, atomic),
    byName: mapOf(object({ value: text, count: integer, tags: list(text, set) })),
    lists: mapOf(list(text, set)),
    limits: mapOf(intOrString),
  }),
});

const preservingRoot = object(
  {
    spec: object({ size: integer, tags: list(text, set), ports }),
    extra: object({ known: text }),
  },
  preserving,
);

const preservingNested = object({
  spec: object({
    size: integer,
    free: { type: 'object', ...preserving },
    partly: object({ known: text, tags: list(text, set), inner: object({ name: text }) }, preserving),
    anything: preserving,
    items: list(object({ name: text, data: { type: 'object', ...preserving } }, { required: ['name'] }), keyed('name')),
    template: object(
      { spec: object({ image: text, tags: list(text, set) }) },
      { 'x-kubernetes-embedded-resource': true },
    ),
    whole: { type: 'object', 'x-kubernetes-embedded-resource': true, ...preserving },
  }),
});

/** One set of fields, either granular or atomic. */
const changing = (inParts: boolean): JsonSchema => {
  const map = inParts ? granular : atomic;
  return object({
    spec: object({
      size: integer,
      labels: mapOf(text, map),
      settings: object({ mode: text, level: integer }, map),
      deep: mapOf(object({ a: text, b: integer }, map)),
      tags: list(text, inParts ? set : atomicList),
      items: list(
        object({ name: text, value: integer, tags: list(text, set) }, { required: ['name'] }),
        inParts ? keyed('name') : atomicList,
      ),
      groups: list(object({ name: text, options: mapOf(text, map) }, { required: ['name'] }), keyed('name')),
    }),
  });
};

/** One field is added, another loses its type, a third is removed. */
const evolving: readonly JsonSchema[] = [
  object({ spec: object({ a: text, b: object({ c: text, d: integer }), e: list(text, set) }) }),
  object({ spec: object({ a: text, b: { type: 'object', ...preserving }, f: mapOf(text) }) }),
];

export const customKinds: readonly CustomKind[] = [
  { label: 'nests', kind: 'Nest', versions: ['v1'], schemas: [nests] },
  { label: 'pairs', kind: 'Pair', versions: ['v1', 'v1beta1'], schemas: [nests] },
  { label: 'roots', kind: 'Root', versions: ['v1'], schemas: [preservingRoot] },
  { label: 'parts', kind: 'Part', versions: ['v1'], schemas: [preservingNested] },
  { label: 'frees', kind: 'Free', versions: ['v1'], schemas: [{ type: 'object', ...preserving }] },
  { label: 'toatomics', kind: 'ToAtomic', versions: ['v1'], schemas: [changing(true), changing(false)] },
  { label: 'togranulars', kind: 'ToGranular', versions: ['v1'], schemas: [changing(false), changing(true)] },
  { label: 'evolvings', kind: 'Evolving', versions: ['v1'], schemas: evolving },
];

/** The schema of a kind in a phase; `mark` identifies the phase. */
export function schemaIn({ schemas }: CustomKind, phase: number): JsonSchema {
  const schema = schemas[phase % schemas.length] ?? {};
  return { ...schema, properties: { ...schema.properties, mark: { type: 'string', default: markOf(phase) } } };
}

export function markOf(phase: number): string {
  return `phase ${phase}`;
}

/** The definition of a kind in a phase. */
export function definitionOf(custom: CustomKind, phase: number): JsonObject {
  const { label, kind, versions } = custom;
  const openAPIV3Schema = asJson(schemaIn(custom, phase));
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${label}.${customGroup}` },
    spec: {
      group: customGroup,
      names: { plural: label, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      scope: 'Namespaced',
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema },
      })),
    },
  };
}
