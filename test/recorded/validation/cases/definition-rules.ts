import type { JsonObject, JsonValue } from '../../../../src/api/json/json.ts';
import type { KindCases, Mutation } from '../case.ts';
import { ruleCosts } from './definition-rule-costs.ts';
import { ruleExpressions } from './definition-rule-expressions.ts';

// Rules of custom resources in definitions. No two properties of an object have errors: the reference reports those in
// random order.

const group = 'ruled.example.com';
const schemaPath = 'spec.versions.0.schema.openAPIV3Schema';
const text = { type: 'string', maxLength: 10 };

/** A schema with rules, given as strings or objects. */
export function ruled(schema: JsonObject, ...rules: readonly JsonValue[]): JsonObject {
  return {
    ...schema,
    'x-kubernetes-validations': rules.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
  };
}

export const object = (properties: JsonObject, rest: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...rest,
});

const root = (schema: JsonObject): Mutation => ({ [schemaPath]: schema });
/** An object schema with this schema for property `a`. */
const a = (schema: JsonObject): Mutation => root(object({ a: schema }));

function definition(plural: string, schema: JsonValue): JsonObject {
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind: plural.toUpperCase(), singular: plural, listKind: `${plural.toUpperCase()}List` },
      versions: [version],
    },
  };
}

const kind = { resource: 'apiextensions.k8s.io/v1/customresourcedefinitions', clusterScoped: true };

const places: readonly Mutation[] = [
  root(ruled(object({ a: text }), 'self.a == self.metadata.name', 'self.metadata.labels == {}')),
  root(ruled(object({ a: text }), 'self.kind == self.apiVersion', 'self.metadata.generateName.size() > 1')),
  root(object({ metadata: ruled({ type: 'object' }, 'self.name == "a"') })),
  root(object({ metadata: object({ name: ruled({ type: 'string' }, 'self.contains("a")') }) })),
  root(ruled(object({ metadata: object({ name: ruled({ type: 'string' }, 'self.contains("a")') }) }), 'true')),
  root(ruled(object({ metadata: object({ name: ruled(text, 'self.contains("a")') }) }), 'self.metadata.name == "b"')),
  a(ruled({ 'x-kubernetes-preserve-unknown-fields': true }, 'self == 1')),
  a(ruled({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, 'self == {}', 'self.a == 1')),
  a(object({ b: ruled({ 'x-kubernetes-preserve-unknown-fields': true }, 'true') })),
  a(ruled(object({ b: ruled({ 'x-kubernetes-preserve-unknown-fields': true }, 'true') }), 'true')),
  a({ type: 'array', items: ruled({ 'x-kubernetes-preserve-unknown-fields': true }, 'true') }),
  a(ruled({ type: 'array', items: { 'x-kubernetes-preserve-unknown-fields': true } }, 'self.size() < 1')),
  a(ruled({ type: 'object', additionalProperties: { 'x-kubernetes-preserve-unknown-fields': true } }, 'true')),
  a(ruled({ type: 'object', additionalProperties: true }, 'self == {}')),
  a(ruled({ type: 'object' }, 'self == {}', 'self.x == 1', 'size(self) == 0')),
  a(ruled({ 'x-kubernetes-int-or-string': true }, 'self == 1', 'self == "a"', 'self.b', 'self + 1')),
  a(object({ 'a b': ruled(text, 'self == "x"'), ok: text })),
  a(ruled(object({ 'a b': ruled(text, 'self == "x"') }), 'self["a b"] == "x"')),
  a(
    ruled(
      object({ 'a-b': text, namespace: text, 'c.d': text }),
      'self.a__dash__b == self.__namespace__ + self.c__dot__d',
    ),
  ),
  a(ruled(object({ 'a-b': text }), 'self.a-b == "x"')),
  a(
    ruled(
      {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
        properties: {
          metadata: ruled(object({ name: text, labels: { type: 'object' } }), 'self.name == "a"', 'self.labels == {}'),
        },
      },
      'self.metadata.name == "a"',
    ),
  ),
  a({
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
    properties: {
      metadata: ruled(object({ name: text, labels: { type: 'object' } }), 'self.name == "a"', 'self.labels == {}'),
    },
  }),
  // With schema errors, the rules at and above them are not compiled.
  root(ruled(object({ a: { type: 'x' } }), 'wrong')),
  root(ruled(object({ a: ruled({ ...text, uniqueItems: true }, 'wrong') }), 'wrong')),
  root(ruled(object({ a: ruled(text, 'wrong'), b: { ...text, uniqueItems: true } }), 'wrong')),
  root(object({ a: ruled(object({ b: ruled(text, 'wrong', '') }), 'wrong') })),
  root(object({ a: ruled(text, { rule: 'wrong', reason: 'x' }, 'wrong') })),
  root(object({ a: ruled(text, { rule: 'wrong', fieldPath: '.x' }, 'wrong') })),
  root(ruled(object({ a: { ...text, default: 1 } }), 'wrong')),
  root(ruled(object({ a: {} }), 'wrong')),
  root({ type: 'object', properties: { a: text }, allOf: [ruled({}, 'wrong')] }),
];

const list = (items: JsonObject, rest: JsonObject = {}): JsonObject => ({ type: 'array', maxItems: 3, items, ...rest });
const changing = (schema: JsonObject): JsonObject => ruled(schema, 'self == oldSelf', { rule: 'true' });
const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };
const item = object({ k: text, v: text }, { required: ['k'] });

const transitions: readonly Mutation[] = [
  root(changing(object({ a: text }))),
  ...[
    changing(text),
    list(changing(text)),
    changing(list(text)),
    list(changing(text), { 'x-kubernetes-list-type': 'atomic' }),
    list(changing(text), { 'x-kubernetes-list-type': 'set' }),
    changing(list(text, { 'x-kubernetes-list-type': 'set' })),
    list(changing(item), keyed),
    list(object({ k: text, v: changing(text) }, { required: ['k'] }), keyed),
    list(list(changing(text)), { 'x-kubernetes-list-type': 'atomic' }),
    list(object({ k: text, l: list(changing(item), keyed) }, { required: ['k'] })),
    list(object({ k: text, l: list(changing(text)) }, { required: ['k'] }), keyed),
    object({ b: changing(text) }, { 'x-kubernetes-map-type': 'atomic' }),
    object({ b: changing(text) }, { 'x-kubernetes-map-type': 'granular' }),
    object({ b: changing(text) }, { 'x-kubernetes-map-type': 'other' }),
    { type: 'object', maxProperties: 3, additionalProperties: changing(text) },
    { type: 'object', maxProperties: 3, additionalProperties: changing(text), 'x-kubernetes-map-type': 'atomic' },
    { type: 'object', maxProperties: 3, additionalProperties: list(changing(text)) },
    ruled(text, { rule: 'self == oldSelf', optionalOldSelf: true }),
    ruled(text, { rule: 'self == oldSelf', optionalOldSelf: false }),
    ruled(text, { rule: 'oldSelf.orValue("a") == self', optionalOldSelf: true }),
    ruled(text, { rule: 'oldSelf.orValue("a") == self' }),
    ruled(text, { rule: 'self == "a"', optionalOldSelf: true }),
    ruled(text, { rule: 'self == "a"', optionalOldSelf: false }),
    ruled(text, { rule: '["a"].exists(oldSelf, oldSelf == self)' }),
    ruled(text, { rule: '["a"].exists(oldSelf, oldSelf == self)', optionalOldSelf: true }),
    ruled(text, { rule: 'wrong(oldSelf)', optionalOldSelf: true }),
    ruled(text, { rule: 'oldSelf', optionalOldSelf: true }),
    ruled(text, { rule: 'self == "a"', messageExpression: 'oldSelf' }),
    ruled(text, { rule: 'self == "a"', messageExpression: 'oldSelf.value()', optionalOldSelf: true }),
    list(ruled(text, { rule: 'oldSelf.hasValue()', optionalOldSelf: true })),
    list(ruled(text, { rule: 'self == "a"', messageExpression: 'oldSelf' })),
  ].map(a),
];

const messages: readonly Mutation[] = [
  ['self + "!"'],
  ['"a"', '"b"'],
  ['1'],
  ['true'],
  ['null'],
  ['self'],
  ['self.'],
  ['self +'],
  ['wrong'],
  ['self.x'],
  ['self + 1'],
  [' '],
  ['"a\nb"'],
  ['size(self)'],
  ['string(size(self))'],
  ['"%s".format([self])'],
  ['"%d".format([self])'],
  ['"%d %s".format([1])'],
  ['self.matches("(")? "a" : "b"'],
  ['[self].join(",")'],
  ['dyn("a")'],
  ['optional.of("a")'],
].flatMap((expressions) =>
  expressions.map((messageExpression) => a(ruled(text, { rule: 'self == "a"', messageExpression }))),
);

const both: readonly Mutation[] = [
  a(ruled(text, { rule: 'wrong', messageExpression: 'wrong', optionalOldSelf: true })),
  a(ruled(text, { rule: 'wrong', message: 'm', reason: 'FieldValueForbidden', fieldPath: '' })),
  a(ruled(object({ b: text }), { rule: 'wrong', reason: 'FieldValueDuplicate', fieldPath: '.b', message: 'x' })),
  a(ruled(text, 'wrong', 'also.wrong', 'self == "a"', '1')),
  a(ruled(text, { rule: 'self ==\n  "a"', message: 'm' }, { rule: 'self ==\n  wrong', message: 'm' })),
];

const withDefault = (schema: JsonObject, value: JsonValue, ...rules: readonly JsonValue[]): Mutation =>
  a(ruled({ ...schema, default: value }, ...rules));

const defaults: readonly Mutation[] = [
  withDefault(text, 'x', 'self == "x"'),
  withDefault(text, 'x', 'self == "y"'),
  withDefault(text, 'x', 'self == "y"', 'self == "z"'),
  withDefault(text, 'x', { rule: 'self == "y"', message: 'must be y', reason: 'FieldValueForbidden' }),
  withDefault(text, 'x', { rule: 'self == "y"', messageExpression: '"not " + self' }),
  withDefault(text, 'x', 'self == oldSelf'),
  withDefault(text, 'x', 'self != oldSelf'),
  withDefault(text, 'x', { rule: 'oldSelf.hasValue()', optionalOldSelf: true }),
  withDefault(text, 'x', { rule: '!oldSelf.hasValue()', optionalOldSelf: true }),
  withDefault(text, 'x', { rule: 'oldSelf.orValue("x") == self', optionalOldSelf: true }),
  withDefault(text, 'x', 'wrong'),
  withDefault(text, 'x', 'self'),
  withDefault(text, 'x', '1 / (size(self) - 1) == 0'),
  withDefault(text, 'x', 'self.matches(self + "(")'),
  withDefault(text, 'too long for it', 'self == "y"'),
  withDefault(object({ b: text }), {}, 'has(self.b)'),
  withDefault(object({ b: text }), {}, { rule: 'has(self.b)', fieldPath: '.b' }),
  withDefault(object({ b: ruled({ ...text, default: 'c' }, 'self == "d"') }), {}, 'has(self.b)'),
  withDefault(object({ b: text }), { b: 'c', d: 1 }, 'self.b == "d"'),
  withDefault(object({ b: ruled(text, 'self == "d"') }), { b: 'c' }, 'true'),
  withDefault(list(ruled(text, 'self == "d"')), ['c', 'd'], 'self.size() < 2'),
  withDefault(
    { type: 'object', maxProperties: 3, additionalProperties: ruled(text, 'self == "d"') },
    { x: 'c' },
    'true',
  ),
  a(list({ ...object({ b: ruled({ ...text, default: 'c' }, 'self == "d"') }) })),
  root(ruled({ ...object({ a: text }), default: { a: 'x' } }, 'self.a == "y"')),
  a({
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
    properties: { metadata: object({ name: ruled({ ...text, default: 'c' }, 'self == "d"') }) },
  }),
  a(
    ruled(
      {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
        default: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' } },
      },
      'self.metadata.name == "y"',
      'self.kind == "Node"',
    ),
  ),
];

const asStored = ruled(text, 'self == "a"');
const updates: readonly Mutation[] = [
  {},
  a(ruled(text, 'wrong')),
  a(ruled(text, 'self == "a"', 'wrong')),
  a(ruled(text, { rule: 'self == "a"', messageExpression: 'wrong' })),
  root(ruled(object({ a: asStored }), 'wrong')),
];

function planted(plural: string, schema: JsonObject, ...changed: readonly Mutation[]): KindCases {
  const mutations: readonly Mutation[] = [{}, { 'metadata.labels': { a: 'b' } }, ...changed];
  const other = { name: 'v2', served: true, storage: false, schema: { openAPIV3Schema: object({ z: text }) } };
  return {
    ...kind,
    base: definition(plural, object({ a: text })),
    planted: root(schema),
    update: [...mutations, ...mutations.map((mutation) => ({ ...mutation, 'spec.versions.1': other }))],
  };
}

// Only this release understands it, so new expressions may not use it.
const tooNew = '[[1], [2]].includes([1])';
const dear = ruled({ type: 'array', items: { type: 'string' } }, 'self.all(x, self.all(y, x == y))');
const dearMessage = ruled(
  { type: 'array', items: { type: 'string' } },
  {
    rule: 'self.size() == 1',
    messageExpression: 'self.map(x, self.map(y, x + y).join(",")).join(",")',
  },
);

export const definitionRuleCases: readonly KindCases[] = [
  {
    ...kind,
    base: definition('rules', object({ a: asStored })),
    createWithout: ['status'],
    createWith: {
      'metadata.name': `others.${group}`,
      'spec.names': { plural: 'others', kind: 'Other', singular: 'other', listKind: 'OtherList' },
    },
    create: [
      ...places,
      ...transitions,
      ...messages,
      ...both,
      ...defaults,
      ...ruleExpressions.map(root),
      ...ruleCosts.map(root),
      {
        'spec.versions.0.schema.openAPIV3Schema': object({ a: ruled(text, 'wrong') }),
        'spec.versions.1': {
          name: 'v2',
          served: true,
          storage: false,
          schema: { openAPIV3Schema: object({ a: ruled(text, 'self.wrong') }) },
        },
      },
    ],
    update: updates,
  },
  planted(
    'newer',
    object({ a: ruled(text, tooNew) }),
    a(ruled(text, tooNew, 'self == "a"')),
    a(ruled(text, `${tooNew} `)),
    a(ruled(text, { rule: 'true', messageExpression: `${tooNew} ? "a" : "b"` })),
    root(object({ b: ruled(text, tooNew) })),
  ),
  planted(
    'newermessages',
    object({ a: ruled(text, { rule: 'true', messageExpression: `${tooNew} ? "a" : "b"` }) }),
    a(ruled(text, { rule: 'self == "a"', messageExpression: `${tooNew} ? "a" : "b"` })),
    a(ruled(text, tooNew)),
  ),
  planted('wrong', object({ a: ruled(text, 'wrong') }), a(ruled(text, 'wrong', 'true'))),
  planted('dear', object({ a: dear }), a({ ...dear, description: 'x' }), root(object({ a: dear, b: text }))),
  planted('dearmessages', object({ a: dearMessage }), a({ ...dearMessage, description: 'x' })),
  planted(
    'defaulted',
    object({ a: ruled({ ...text, default: 'x' }, 'self == "y"') }),
    a(ruled({ ...text, default: 'y' }, 'self == "y"')),
  ),
];
