import { definitionsPath, define, schema } from '../../definitions.ts';
import { instance, places } from '../../objects.ts';
import { script, type Step } from '../../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put } from '../../steps.ts';

const space = 'ratchets';
const group = 'ratchets.example.com';
const text = { type: 'string' };
const number = { type: 'integer' };
const list = (items: object, more: object = {}): object => ({ type: 'array', items, ...more });
const keyed = (item: object, more: object = {}): object => ({
  ...list({ type: 'object', required: ['k'], properties: { k: text, v: item } }, more),
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k'],
});
const set = (item: object): object => list(item, { 'x-kubernetes-list-type': 'set' });
const map = (value: object): object => ({ type: 'object', additionalProperties: value });
const struct = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
const rule = (expression: string, more: object = {}): object => ({
  'x-kubernetes-validations': [{ rule: expression, ...more }],
});

/** A schema that becomes stricter: what is stored, and what is then written. */
interface Tightening {
  readonly before: object;
  readonly after: object;
  readonly stored: unknown;
  /** By what it does. */
  readonly changes: { readonly [name: string]: unknown };
}

const tightenings: { readonly [name: string]: Tightening } = {
  'a pattern': {
    before: text,
    after: { ...text, pattern: '^a' },
    stored: 'b',
    changes: { same: 'b', worse: 'c', good: 'a' },
  },
  'an enumeration': { before: text, after: { ...text, enum: ['x'] }, stored: 'b', changes: { worse: 'c', good: 'x' } },
  'a maximum': { before: number, after: { ...number, maximum: 3 }, stored: 9, changes: { less: 8, good: 2 } },
  'a multiple': { before: number, after: { ...number, multipleOf: 2 }, stored: 3, changes: { worse: 5, good: 4 } },
  'a length': { before: text, after: { ...text, maxLength: 1 }, stored: 'abc', changes: { shorter: 'ab', good: 'a' } },
  'a type': { before: text, after: number, stored: 'x', changes: { 'another text': 'y', good: 1 } },
  'a format': {
    before: text,
    after: { ...text, format: 'date-time' },
    stored: 'x',
    changes: { worse: 'y', good: '2001-01-01T00:00:00Z' },
  },
  'no nulls': { before: { ...text, nullable: true }, after: text, stored: null, changes: { null: null, good: 'a' } },
  'items of a list': {
    before: list(text),
    after: list({ ...text, maxLength: 1 }),
    stored: ['aa', 'b'],
    changes: {
      'another item': ['aa', 'c'],
      'an item more': ['aa', 'b', 'c'],
      reordered: ['b', 'aa'],
      'a bad one more': ['aa', 'cc'],
      good: ['a'],
    },
  },
  'items of a set': {
    before: set(text),
    after: set({ ...text, maxLength: 1 }),
    stored: ['aa', 'b'],
    changes: { 'another item': ['aa', 'c'], reordered: ['b', 'aa'], 'a bad one more': ['aa', 'cc'], good: ['a'] },
  },
  'values of keyed items': {
    before: keyed(text),
    after: keyed({ ...text, maxLength: 1 }),
    stored: [
      { k: 'a', v: 'xx' },
      { k: 'b', v: 'y' },
    ],
    changes: {
      reordered: [
        { k: 'b', v: 'y' },
        { k: 'a', v: 'xx' },
      ],
      'another item': [
        { k: 'a', v: 'xx' },
        { k: 'b', v: 'z' },
      ],
      'an item more': [
        { k: 'c', v: 'z' },
        { k: 'a', v: 'xx' },
      ],
      'a bad one more': [
        { k: 'a', v: 'xx' },
        { k: 'c', v: 'zz' },
      ],
      'the bad one elsewhere': [{ k: 'c', v: 'xx' }],
    },
  },
  'values of a map': {
    before: map(text),
    after: map({ ...text, maxLength: 1 }),
    stored: { a: 'xx', b: 'y' },
    changes: {
      'another value': { a: 'xx', b: 'z' },
      'one more': { a: 'xx', c: 'z' },
      'a bad one more': { a: 'xx', c: 'zz' },
      moved: { c: 'xx' },
    },
  },
  'a required field': {
    before: struct({ a: text, b: text }),
    after: struct({ a: text, b: text }, { required: ['b'] }),
    stored: { a: '1' },
    changes: { same: { a: '1' }, 'another field': { a: '2' }, good: { a: '1', b: '2' } },
  },
  'a number of items': {
    before: list(text),
    after: list(text, { maxItems: 1 }),
    stored: ['a', 'b'],
    changes: { fewer: ['a'], reordered: ['b', 'a'], more: ['a', 'b', 'c'] },
  },
  'a number of properties': {
    before: map(text),
    after: { ...map(text), maxProperties: 1 },
    stored: { a: '1', b: '2' },
    changes: { 'another value': { a: '1', b: '3' }, fewer: { a: '1' } },
  },
  'a set': {
    before: list(text),
    after: set(text),
    stored: ['a', 'a'],
    changes: { reordered: ['a', 'a'], more: ['a', 'a', 'b'], good: ['a'] },
  },
  'a rule': {
    before: struct({ a: text, b: text }),
    after: struct({ a: text, b: text }, rule("self.a == 'x'", { message: 'must be x' })),
    stored: { a: '1' },
    changes: { same: { a: '1' }, 'another field': { a: '1', b: '2' }, good: { a: 'x' } },
  },
  'a rule of a field': {
    before: struct({ a: text, b: text }),
    after: struct({ a: { ...text, ...rule("self == 'x'") }, b: text }),
    stored: { a: '1' },
    changes: { 'another field': { a: '1', b: '2' }, worse: { a: '2' } },
  },
  'a transition': {
    before: number,
    after: { ...number, ...rule('self >= oldSelf') },
    stored: 5,
    changes: { less: 4, same: 5, more: 6 },
  },
  'a rule of items': {
    before: list(number),
    after: list({ ...number, ...rule('self < 3') }),
    stored: [9, 1],
    changes: { 'another item': [9, 2], reordered: [1, 9], good: [1] },
  },
  'a rule of keyed items': {
    before: keyed(number),
    after: keyed({ ...number, ...rule('self < 3') }),
    stored: [{ k: 'a', v: 9 }],
    changes: {
      'one more': [
        { k: 'a', v: 9 },
        { k: 'b', v: 1 },
      ],
      worse: [{ k: 'a', v: 8 }],
      moved: [{ k: 'b', v: 9 }],
    },
  },
  'any of': {
    before: text,
    after: { ...text, anyOf: [{ maxLength: 1 }, { pattern: '^zz' }] },
    stored: 'bb',
    changes: { worse: 'cc', good: 'zzz' },
  },
  not: { before: text, after: { ...text, not: { pattern: 'b' } }, stored: 'bb', changes: { worse: 'bbb', good: 'a' } },
  'all of': {
    before: struct({ a: text, b: text }),
    after: struct({ a: text, b: text }, { allOf: [{ required: ['b'] }, { properties: { a: { maxLength: 1 } } }] }),
    stored: { a: '11' },
    changes: { 'with it': { a: '11', b: '2' }, good: { a: '1', b: '2' } },
  },
};

let index = 0;
function storyOf({ before, after, stored, changes }: Tightening, name: string): readonly Step[] {
  index += 1;
  const [plural, kind] = [`ratchet${index}s`, `Ratchet${index}`];
  const versions = (field: object): readonly object[] => [
    {
      name: 'v1',
      served: true,
      storage: true,
      subresources: { status: {} },
      schema: schema({
        spec: { type: 'object', properties: { field, other: text } },
        status: { type: 'object', properties: { field, other: text } },
      }),
    },
  ];
  const custom = { group, plural, kind };
  const one = `${places.custom(group, plural, space)}/a`;
  const called = (what: string): string => `${name}: ${what}`;
  const of = (field: unknown, more: object = {}): object => instance(custom, 'a', { spec: { field, ...more } });
  const hasRules = JSON.stringify(after).includes('x-kubernetes-validations');
  const steps = [
    ...define({ ...custom, versions: versions(before) }),
    post(called('create'), places.custom(group, plural, space), of(stored)),
    // The warnings of rules in both come in any order.
    hasRules ? [] : patch(called('a status'), 'merge', `${one}/status`, { status: { field: stored } }),
    patch(
      called('a stricter schema'),
      'merge',
      `${definitionsPath}/${plural}.${group}`,
      { spec: { versions: versions(after) } },
      { settles: true },
    ),
    post(
      called('create anew'),
      `${places.custom(group, plural, space)}?dryRun=All`,
      instance(custom, 'n', { spec: { field: stored } }),
    ),
    patch(called('a label'), 'merge', one, { metadata: { labels: { l: '1' } } }),
    patch(called('another field'), 'merge', one, { spec: { other: 'o' } }),
    patch(called('the status beside'), 'merge', `${one}/status`, { status: { other: 'o' } }),
    put(called('put the same'), `${one}?dryRun=All`, of(stored, { other: 'p' })),
    apply(called('apply the same'), `${one}?dryRun=All`, of(stored), 'x&force=true'),
    ...forEach(changes, (value, how) => [
      patch(called(`${how}, merge`), 'json', `${one}?dryRun=All`, [{ op: 'replace', path: '/spec/field', value }]),
      patch(called(`${how}, in the status`), 'json', `${one}/status?dryRun=All`, [
        { op: 'add', path: '/status/field', value },
      ]),
    ]),
    patch(called('finalizers'), 'merge', one, { metadata: { finalizers: ['example.com/f'] } }),
    get(called('at the end'), one),
  ];
  return steps.flat();
}

/** Reports: what is stored fails a stricter schema; unrelated writes have to pass. */
export const ratcheting = script('ratcheting', inNamespace(space), forEach(tightenings, storyOf));
