import { define, definitionsPath, schema } from '../definitions.ts';
import { instance, places } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put } from '../steps.ts';

const space = 'live-rules';
const group = 'live-rules.example.com';
const text = { type: 'string', maxLength: 20 };
const number = { type: 'integer' };

interface Rule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

const ruled = (type: object, ...rules: readonly Rule[]): object => ({ ...type, 'x-kubernetes-validations': rules });
const struct = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
const list = (items: object, more: object = {}): object => ({ type: 'array', maxItems: 5, items, ...more });
const set = (items: object): object => list(items, { 'x-kubernetes-list-type': 'set' });
const keyed = (value: object): object => ({
  ...list(struct({ k: text, v: value }, { required: ['k'] })),
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k'],
});
const map = (value: object): object => ({ type: 'object', maxProperties: 5, additionalProperties: value });

/** A field with rules from the beginning, what it is created with, and what is then written. */
interface Story {
  readonly field: object;
  readonly first: unknown;
  readonly writes: { readonly [name: string]: unknown };
  /** The rules that live objects get later. */
  readonly later?: object;
}

const stories: { readonly [name: string]: Story } = {
  'a number that grows': {
    field: ruled(number, {
      rule: 'self >= oldSelf',
      messageExpression: '"%d is less than %d".format([self, oldSelf])',
    }),
    first: 5,
    writes: { less: 4, same: 5, more: 6 },
  },
  'an immutable text': {
    field: ruled(text, { rule: 'self == oldSelf', message: 'immutable' }),
    first: 'a',
    writes: { other: 'b', same: 'a' },
  },
  'a text that may be set once': {
    field: ruled(text, {
      rule: '!oldSelf.hasValue() || oldSelf.value() == self',
      optionalOldSelf: true,
      messageExpression: 'oldSelf.hasValue() ? "it was set" : "never"',
    }),
    first: 'a',
    writes: { other: 'b', same: 'a' },
  },
  'an old value that is only optional in name': {
    field: ruled(number, { rule: 'oldSelf.orValue(0) < self', optionalOldSelf: true }),
    first: 1,
    writes: { less: 0, same: 1, more: 2 },
  },
  'an object with a path and a reason': {
    field: ruled(
      struct({ min: number, max: number }),
      { rule: 'self.min <= self.max', message: 'min exceeds max', fieldPath: '.max', reason: 'FieldValueForbidden' },
      {
        rule: '!has(oldSelf.min) || has(self.min)',
        message: 'min must stay',
        fieldPath: '.min',
        reason: 'FieldValueRequired',
      },
      { rule: 'self.max < 100', reason: 'FieldValueDuplicate' },
    ),
    first: { min: 1, max: 2 },
    writes: {
      crossed: { min: 3, max: 2 },
      'without min': { max: 2 },
      large: { min: 1, max: 100 },
      good: { min: 2, max: 3 },
    },
  },
  'items of a set': {
    field: set(ruled(text, { rule: 'self.startsWith("a")' })),
    first: ['a1', 'a2'],
    writes: { 'a good one more': ['a1', 'a2', 'a3'], 'a bad one': ['a1', 'b'], reordered: ['a2', 'a1'], fewer: ['a2'] },
  },
  'items by key': {
    field: keyed(ruled(number, { rule: 'self >= oldSelf', messageExpression: 'self < 0 ? "negative" : "not less"' })),
    first: [
      { k: 'a', v: 1 },
      { k: 'b', v: 2 },
    ],
    writes: {
      'one less': [
        { k: 'a', v: 0 },
        { k: 'b', v: 2 },
      ],
      'reordered and less': [
        { k: 'b', v: 1 },
        { k: 'a', v: 1 },
      ],
      'a new key': [
        { k: 'a', v: 1 },
        { k: 'b', v: 2 },
        { k: 'c', v: 0 },
      ],
      'a key renamed': [
        { k: 'x', v: 0 },
        { k: 'b', v: 2 },
      ],
    },
  },
  'items of an atomic list': {
    field: list(ruled(number, { rule: 'self < 10' })),
    first: [1, 2],
    writes: { 'a large one': [1, 20], 'two large ones': [10, 20], good: [3] },
  },
  'a whole list': {
    field: ruled(
      list(number),
      { rule: 'self.size() >= oldSelf.size()' },
      { rule: 'self.all(x, x in oldSelf || x > 5)', messageExpression: 'oldSelf.size() == 2 ? "of two" : "of others"' },
    ),
    first: [1, 2],
    writes: { shorter: [1], other: [1, 3], good: [2, 6, 7] },
  },
  'values of a map': {
    field: map(ruled(text, { rule: 'self == oldSelf' })),
    first: { a: '1', b: '2' },
    writes: { changed: { a: '2', b: '2' }, 'one more': { a: '1', b: '2', c: '3' }, fewer: { b: '2' } },
  },
  'a map by its keys': {
    field: ruled(
      map(text),
      { rule: 'oldSelf.all(k, k in self)', message: 'keys stay' },
      { rule: 'self.all(k, k.size() < 3)' },
    ),
    first: { a: '1' },
    writes: { fewer: {}, long: { a: '1', bbb: '2' }, good: { a: '2', bb: '3' } },
  },
  'messages that fail': {
    field: ruled(
      number,
      { rule: 'self < 5', messageExpression: '"x".substring(5)', message: 'at hand' },
      { rule: 'self < 5', messageExpression: '"x".substring(5)' },
      { rule: 'self < 4', messageExpression: '"  "' },
      { rule: 'self < 3', messageExpression: '"a\\nb"' },
      { rule: '10 / self > 1' },
    ),
    first: 1,
    writes: { five: 5, zero: 0, four: 4 },
  },
  'rules that come later': {
    field: number,
    first: 7,
    later: ruled(number, { rule: 'self < 5' }, { rule: 'self != oldSelf || self == 7', message: 'stay' }),
    writes: { same: 7, worse: 8, good: 3 },
  },
  'rules of items that come later': {
    field: list(text),
    first: ['aaa', 'b'],
    later: list(ruled(text, { rule: 'self.size() < 3', message: 'long' })),
    writes: { same: ['aaa', 'b'], reordered: ['b', 'aaa'], 'one more': ['aaa', 'b', 'c'], good: ['b'] },
  },
  'rules of items by key that come later': {
    field: keyed(text),
    first: [
      { k: 'a', v: 'bad' },
      { k: 'b', v: 'x' },
    ],
    later: keyed(ruled(text, { rule: 'self == "x"' })),
    writes: {
      same: [
        { k: 'a', v: 'bad' },
        { k: 'b', v: 'x' },
      ],
      reordered: [
        { k: 'b', v: 'x' },
        { k: 'a', v: 'bad' },
      ],
      'another bad one': [
        { k: 'a', v: 'bad' },
        { k: 'b', v: 'y' },
      ],
      'a new bad one': [
        { k: 'a', v: 'bad' },
        { k: 'c', v: 'bad' },
      ],
    },
  },
  'a rule of the parent that comes later': {
    field: struct({ a: number, b: number }),
    first: { a: 2, b: 1 },
    later: ruled(struct({ a: number, b: number }), {
      rule: 'self.a < self.b',
      fieldPath: '.a',
      message: 'a is less than b',
    }),
    writes: { same: { a: 2, b: 1 }, worse: { a: 3, b: 1 }, good: { a: 1, b: 2 } },
  },
  'an optional old value that comes later': {
    field: text,
    first: 'z',
    later: ruled(text, { rule: 'oldSelf.hasValue() || self == "new"', optionalOldSelf: true, message: 'only new' }),
    writes: { same: 'z', other: 'y', good: 'new' },
  },
  'metadata in rules': {
    field: text,
    first: 'a',
    later: text,
    writes: { other: 'b' },
  },
};

let index = 0;
function storyOf({ field, later, first, writes }: Story, name: string): readonly Step[] {
  index += 1;
  const [plural, kind] = [`live${index}s`, `Live${index}`];
  const custom = { group, plural, kind };
  const root = name.startsWith('metadata')
    ? { 'x-kubernetes-validations': [{ rule: 'self.metadata.name.size() < 3', message: 'a short name' }] }
    : {};
  const versions = (type: object): readonly object[] => [
    {
      name: 'v1',
      served: true,
      storage: true,
      subresources: { status: {} },
      schema: schema(
        { spec: struct({ field: type, other: text }), status: struct({ field: type, other: text }) },
        root,
      ),
    },
  ];
  const collection = places.custom(group, plural, space);
  const one = `${collection}/a`;
  const called = (what: string): string => `${name}: ${what}`;
  const of = (value: unknown, more: object = {}, id = 'a'): object =>
    instance(custom, id, { spec: { field: value, ...more } });
  return [
    ...define({ ...custom, versions: versions(field) }),
    post(called('create'), collection, of(first)),
    ...(later === undefined
      ? []
      : [
          patch(
            called('later rules'),
            'merge',
            `${definitionsPath}/${plural}.${group}`,
            { spec: { versions: versions(later) } },
            { settles: true },
          ),
        ]),
    patch(called('a label'), 'merge', one, { metadata: { labels: { a: 'b' } } }),
    patch(called('another field'), 'merge', `${one}?dryRun=All`, { spec: { other: 'x' } }),
    patch(called('a status'), 'merge', `${one}/status?dryRun=All`, { status: { field: first } }),
    patch(called('without it'), 'json', `${one}?dryRun=All`, [{ op: 'remove', path: '/spec/field' }]),
    ...forEach(writes, (value, how) => [
      post(called(`create: ${how}`), `${collection}?dryRun=All`, of(value, {}, 'long')),
      put(called(`put: ${how}`), `${one}?dryRun=All`, {
        ...of(value),
        metadata: { name: 'a', resourceVersion: `{{${called('a label')}|metadata.resourceVersion}}` },
      }),
      patch(called(`merge: ${how}`), 'merge', `${one}?dryRun=All`, { spec: { field: value } }),
      apply(called(`apply: ${how}`), `${one}?dryRun=All`, of(value), 'one&force=true'),
      patch(called(`beside: ${how}`), 'json', `${one}?dryRun=All`, [
        { op: 'add', path: '/spec/other', value: 'y' },
        { op: 'replace', path: '/spec/field', value },
      ]),
    ]),
    get(called('at the end'), one),
  ];
}

/** Reports: rules that see old values, rules that live objects get later, and what they say. */
export const liveRules = script(space, inNamespace(space), forEach(stories, storyOf));
