import type { JsonObject, JsonValue } from '../../../../src/api/json/json.ts';

// Schemas with rules at or near the cost limit, and the sizes that determine it.

const text = { type: 'string' };
const of = (rule: string): JsonObject => ({ 'x-kubernetes-validations': [{ rule }] });
const list = (items: JsonObject, rest: JsonObject = {}): JsonObject => ({ type: 'array', items, ...rest });
const map = (values: JsonObject, rest: JsonObject = {}): JsonObject => ({
  type: 'object',
  additionalProperties: values,
  ...rest,
});
const object = (properties: JsonObject, rest: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...rest });
const a = (schema: JsonValue): JsonObject => object({ a: schema });

const texts = [
  'self == "a"',
  'self.contains("a")',
  'self.matches("^[a-z]+$")',
  'self.startsWith("a")',
  'self + self == "a"',
  'self.size() > 1',
  'self.split(",").size() > 1',
  'self.replace("a", "b") == "c"',
  'self.find("a+") == "a"',
  'self.findAll("a").size() > 1',
  'self.lowerAscii() == "a"',
  'self.split(",").all(x, x.contains(self))',
  'quantity(self).isInteger()',
  'isIP(self)',
  'cidr(self).containsIP("1.1.1.1")',
  'url(self).getHost() == "a"',
  'semver(self).major() == 1',
  'format.dns1123Label().validate(self).hasValue()',
  '"%s".format([self]) == "a"',
  'self.indexOf("a") == 1',
  'isURL(self)',
  'self.trim().trim() == "a"',
  'self.substring(1) == "a"',
  'string(bytes(self)) == self',
  'self in ["a", "b"]',
  'dyn(self) == "a"',
  'self.matches(self)',
];

const lists = [
  'self.size() > 1',
  'self.all(x, x == "a")',
  'self.all(x, self.all(y, x == y))',
  'self.all(x, self.exists(y, self.all(z, x + y == z)))',
  'self.exists_one(x, x == "a")',
  'self.map(x, x + "a").size() > 1',
  'self.filter(x, x == "a").size() > 1',
  'self == self',
  '"a" in self',
  'self.join(",") == "a"',
  'self.isSorted()',
  'self.min() == "a"',
  'self.indexOf("a") == 1',
  'sets.contains(self, ["a"])',
  'sets.contains(self, self)',
  'self + self == self',
  'self.all(x, x.matches("a+"))',
  'self.all(i, x, i < 5)',
  'self.transformList(i, x, x).size() > 1',
  'self.distinct().size() > 1',
  'self.sort() == self',
  'self.slice(0, 2).size() > 1',
  'self.reverse() == self',
  'self[0] == "a"',
  'self.map(x, self).flatten().size() > 1',
  'self.sortBy(x, x)[0] == "a"',
];

const maps = [
  'self.size() > 1',
  'self.all(k, k == "a")',
  'self.all(k, self[k] == "a")',
  'self.all(k, v, k == v)',
  'self == self',
  '"a" in self',
  'self.exists(k, self.exists(j, k == j))',
  'self.map(k, k).size() > 1',
  'self.transformMap(k, v, v + k).size() > 1',
  'self.all(k, self[k].matches("a+"))',
  'has(self.a) && self.a == "b"',
];

const bounds: readonly (readonly [JsonObject, JsonObject])[] = [
  [{}, {}],
  [{ maxItems: 10 }, {}],
  [{}, { maxLength: 10 }],
  [{ maxItems: 100 }, { maxLength: 100 }],
  [{ maxItems: 1000 }, { maxLength: 1000 }],
  [{ maxItems: 0 }, { maxLength: 0 }],
];

const sized: readonly JsonObject[] = [
  ...texts.flatMap((rule) => [{}, { maxLength: 1000 }].map((bound) => a({ ...text, ...bound, ...of(rule) }))),
  ...lists.flatMap((rule) => bounds.map(([most, long]) => a(list({ ...text, ...long }, { ...most, ...of(rule) })))),
  ...maps.flatMap((rule) =>
    bounds
      .slice(0, 4)
      .map(([{ maxItems }, long]) =>
        a(map({ ...text, ...long }, { ...(maxItems === undefined ? {} : { maxProperties: maxItems }), ...of(rule) })),
      ),
  ),
];

const each = of('self.contains("abc")');
const cheap = of('self == "a"');

/** One rule in more and more nested lists and maps. */
const nested: readonly JsonObject[] = [
  list({ ...text, ...each }),
  list({ ...text, ...each }, { maxItems: 10 }),
  list({ ...text, maxLength: 10, ...each }),
  list({ ...text, maxLength: 1000, ...each }, { maxItems: 1000 }),
  list(list({ ...text, maxLength: 100, ...cheap }, { maxItems: 100 }), { maxItems: 100 }),
  list(list({ ...text, maxLength: 100, ...cheap }, { maxItems: 100 })),
  list(list({ ...text, maxLength: 100, ...cheap }), { maxItems: 100 }),
  list(list(list({ ...text, maxLength: 10, ...cheap }, { maxItems: 1000 }), { maxItems: 1000 }), { maxItems: 1000 }),
  list(list(list({ ...text, ...cheap }))),
  map({ ...text, ...each }),
  map({ ...text, ...each }, { maxProperties: 10 }),
  map({ ...text, maxLength: 10, ...each }),
  map(map({ ...text, maxLength: 10, ...cheap }, { maxProperties: 100 }), { maxProperties: 100 }),
  map(list({ ...text, maxLength: 10, ...cheap }, { maxItems: 100 }), { maxProperties: 100 }),
  list(object({ k: text, v: { ...text, ...cheap } }, { required: ['k', 'v'] })),
  list(object({ k: text, v: { ...text, ...cheap } })),
  list(object({ k: { ...text, default: 'x' }, v: text }, { required: ['k', 'v'], ...of('self.k == self.v') })),
  list(
    object({ k: text, v: { type: 'integer' }, w: { type: 'boolean' } }, { required: ['v', 'w'], ...of('has(self.k)') }),
  ),
  list(object({ k: { type: 'string', format: 'date-time' } }, { required: ['k'], ...of('self.k == self.k') })),
  list(object({ k: { type: 'string', format: 'duration' } }, { required: ['k'], ...of('self.k == self.k') })),
  list(object({ k: { type: 'string', format: 'date' } }, { required: ['k'], ...of('self.k == self.k') })),
  list(object({ k: { type: 'string', enum: ['abc', 'd'] } }, { ...of('self.k.contains("abc")') })),
  list(object({ k: { 'x-kubernetes-int-or-string': true } }, { required: ['k'], ...of('self.k == "a"') })),
  list({ type: 'integer', ...of('self > 1') }),
  list({ type: 'boolean', ...of('self') }),
  list({ type: 'number', ...of('self > 1.0') }),
  list({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true, ...of('self == {}') }, { maxItems: 5 }),
].map(a);

// The cost grows with the size of the list: where the limit is exceeded, and the error then.
const factors: readonly JsonObject[] = [
  ...[9_999_960, 9_999_999, 10_000_000, 10_000_001, 12_500_000, 14_999_990, 15_000_000, 15_499_999].map(
    (count) => count / 5,
  ),
  ...[17_500_000, 22_500_000, 27_500_000, 99_999_999, 999_999_999, 1_000_000_001, 2_000_000_000].map(
    (count) => count / 5,
  ),
].map((maxItems) => a(list({ type: 'integer', ...of('1 + 2 + self > 1') }, { maxItems: Math.floor(maxItems) })));

const totals: readonly JsonObject[] = [2_400_000, 2_499_999, 1_999_999, 1_200_000, 250_000, 199_999].flatMap(
  (maxItems) =>
    [1, 3, 5, 12, 60].map((count) =>
      a(
        list(
          {
            type: 'integer',
            'x-kubernetes-validations': Array.from({ length: count }, (_, index) => ({ rule: `self + ${index} > 1` })),
          },
          { maxItems },
        ),
      ),
    ),
);

const messages: readonly JsonObject[] = [
  ['self.map(x, x + "a").join(",")', {}, {}],
  ['self.map(x, x + "a").join(",")', { maxItems: 10 }, { maxLength: 10 }],
  ['self.map(x, self.map(y, x + y).join(",")).join(",")', {}, {}],
  ['self[0]', {}, {}],
  ['self.map(x, self.map(y, x + y).join(",")).join(",")', { maxItems: 100 }, { maxLength: 100 }],
].map(([messageExpression, most, long]) =>
  a(
    list(
      { ...text, ...(long as JsonObject) },
      {
        ...(most as JsonObject),
        'x-kubernetes-validations': [{ rule: 'self.size() > 1', messageExpression: messageExpression as string }],
      },
    ),
  ),
);

export const ruleCosts: readonly JsonObject[] = [...sized, ...nested, ...factors, ...totals, ...messages];
