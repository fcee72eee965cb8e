import { definition, definitionsPath, define } from '../definitions.ts';
import { instance, places } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { forEach, get, inNamespace, patch, post } from '../steps.ts';

const space = 'costs';
const group = 'costs.example.com';
const rule = (text: string, more: object = {}): object => ({ 'x-kubernetes-validations': [{ rule: text, ...more }] });
const unlimited = { type: 'array', items: { type: 'string' } };
const limited = { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 20 } };
const nested = { type: 'array', items: { type: 'array', items: { type: 'array', items: { type: 'string' } } } };
const keyed = {
  type: 'array',
  items: { type: 'object', properties: { name: { type: 'string' }, n: { type: 'integer' } } },
};

/** Fields with rules, cheap and dear. */
const fields: { readonly [name: string]: object } = {
  'a text compared': { type: 'string', ...rule("self == 'x'") },
  'a text matched': { type: 'string', ...rule("self.matches('^a+$')") },
  'a text matched by itself': { type: 'string', ...rule('self.matches(self)') },
  'a text contained': { type: 'string', ...rule('self.contains(self)') },
  'all of an unlimited list': { ...unlimited, ...rule("self.all(x, x == 'a')") },
  'all of a limited list': { ...limited, ...rule("self.all(x, x == 'a')") },
  'pairs of an unlimited list': { ...unlimited, ...rule('self.all(x, self.all(y, x == y))') },
  'pairs of a limited list': { ...limited, ...rule('self.all(x, self.all(y, x == y))') },
  'three of an unlimited list': { ...unlimited, ...rule('self.all(x, self.all(y, self.all(z, x == y || y == z)))') },
  'nested lists': { ...nested, ...rule('self.all(a, a.all(b, b.all(c, c.size() > 0)))') },
  'one name each': { ...keyed, ...rule('self.all(x, self.exists_one(y, x.name == y.name))') },
  'a map': {
    type: 'object',
    additionalProperties: { type: 'string' },
    ...rule("self.all(k, self[k].startsWith('a'))"),
  },
  'a sort': { ...unlimited, ...rule('self.isSorted()') },
  'a sum': { type: 'array', items: { type: 'integer' }, ...rule('self.sum() > 0') },
  'a split': { type: 'string', ...rule("self.split(',').all(x, x.size() < 5)") },
  'a replacement': { type: 'string', ...rule("self.replace('a', 'bbbb').size() < 10") },
  'a join': { ...unlimited, ...rule("self.join(',').size() < 10") },
  'a URL': { type: 'string', ...rule('isURL(self) && url(self).getHost().size() > 0') },
  'a quantity': { type: 'string', ...rule("quantity(self).isGreaterThan(quantity('1'))") },
  'an address': { type: 'string', ...rule('isIP(self) && ip(self).family() == 4') },
  'a range of addresses': { type: 'string', ...rule("cidr(self).containsIP('10.0.0.1')") },
  'a format': { type: 'string', ...rule('!format.dns1123Label().validate(self).hasValue()') },
  'a version': { type: 'string', ...rule('isSemver(self) && semver(self).major() > 0') },
  'a message of an expression': {
    type: 'string',
    ...rule('self.size() < 3', { messageExpression: "'too long: ' + self" }),
  },
  'a dear message': {
    ...unlimited,
    ...rule('self.size() < 3', { messageExpression: "self.map(x, self.map(y, x + y).join('')).join('')" }),
  },
  'a transition': { type: 'integer', ...rule('self >= oldSelf') },
  'a transition that may lack the old': {
    type: 'integer',
    ...rule('!oldSelf.hasValue() || self >= oldSelf.value()', { optionalOldSelf: true }),
  },
  'a transition in a list': { type: 'array', items: { type: 'integer', ...rule('self >= oldSelf') } },
  'a reason': { type: 'string', ...rule('self.size() < 3', { reason: 'FieldValueForbidden', fieldPath: '.' }) },
  'a path': {
    type: 'object',
    properties: { a: { type: 'string' } },
    ...rule("self.a == 'x'", { reason: 'FieldValueRequired', fieldPath: '.a' }),
  },
  'an unknown path': {
    type: 'object',
    properties: { a: { type: 'string' } },
    ...rule("self.a == 'x'", { fieldPath: '.z' }),
  },
  'an unknown reason': { type: 'string', ...rule('self.size() < 3', { reason: 'Nope' }) },
  'a number as a rule': { type: 'string', ...rule('1') },
  'an unknown field': { type: 'object', properties: { a: { type: 'string' } }, ...rule('self.z') },
  'many rules': {
    type: 'string',
    'x-kubernetes-validations': Array.from({ length: 30 }, (_, at) => ({ rule: `self.matches('a{${at}}')` })),
  },
};

function definitionSteps(field: object, name: string): readonly Step[] {
  const of = (spec: object): object => definition({ group, plural: 'checks', kind: 'Check', properties: { spec } });
  return [
    post(`${name}: alone`, `${definitionsPath}?dryRun=All`, of({ type: 'object', properties: { field } })),
    post(
      `${name}: in a list`,
      `${definitionsPath}?dryRun=All`,
      of({ type: 'object', properties: { list: { type: 'array', items: field } } }),
    ),
    post(
      `${name}: in a list of lists`,
      `${definitionsPath}?dryRun=All`,
      of({ type: 'object', properties: { list: { type: 'array', items: { type: 'array', items: field } } } }),
    ),
  ];
}

const cheap = Object.entries(fields).filter(
  ([name]) => !/three|nested|dear|unknown|number|many|one name|pairs of an|in a list|a reason/.test(name),
);

/** A field within bounds that make any rule cheap. */
function bounded(field: object): object {
  const { type, items, additionalProperties } = field as { [name: string]: object | string | undefined };
  const inner = (part: object | string | undefined): object => bounded(typeof part === 'object' ? part : {});
  if (type === 'string') return { ...field, maxLength: 30 };
  if (type === 'array') return { ...field, maxItems: 5, items: inner(items) };
  const isMap = additionalProperties !== undefined;
  return isMap ? { ...field, maxProperties: 5, additionalProperties: inner(additionalProperties) } : field;
}

const runtime = {
  group,
  plural: 'rules',
  kind: 'Rule',
  properties: {
    spec: { type: 'object', properties: Object.fromEntries(cheap.map(([, field], at) => [`f${at}`, bounded(field)])) },
  },
};
const rules = places.custom(group, 'rules', space);
const values: readonly unknown[] = [
  '',
  'x',
  'aaa',
  'not an address',
  '10.0.0.1',
  '10.0.0.0/8',
  '1.2.3',
  'https://example.com/a',
  '5',
  7,
  ['b', 'a'],
  ['a', 'a'],
  [1, -1],
  { a: 'b' },
  { a: 'x' },
  {},
];

/** Reports: rules that are too dear, and what they say when they fail. */
export const costLimits = script(
  'cost-limits',
  inNamespace(space),
  forEach(fields, definitionSteps),
  define(runtime),
  cheap.flatMap(([name], at) =>
    values.map((value, index) =>
      post(`${name}: value ${index}`, `${rules}?dryRun=All`, instance(runtime, 'a', { spec: { [`f${at}`]: value } })),
    ),
  ),
  post('a rule', rules, instance(runtime, 'a', { spec: {} })),
  cheap.flatMap(([name], at) => [
    patch(`${name}: set to 5`, 'merge', `${rules}/a`, { spec: { [`f${at}`]: 5 } }),
    patch(`${name}: set to 3`, 'merge', `${rules}/a`, { spec: { [`f${at}`]: 3 } }),
  ]),
  get('at the end', `${rules}/a`),
);
