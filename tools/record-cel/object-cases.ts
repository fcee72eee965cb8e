import type { JsonSchema } from '../../src/schema/custom/json-schema.ts';
import type { JsonValue } from '../../src/api/json.ts';
import type { Question } from './question.ts';

const text: JsonSchema = { type: 'string' };
const integer: JsonSchema = { type: 'integer' };

/** A field of each kind, bounded and not. */
const schema: JsonSchema = {
  type: 'object',
  required: ['name', 'replicas'],
  properties: {
    name: { type: 'string', maxLength: 20 },
    free: text,
    replicas: integer,
    ratio: { type: 'number' },
    enabled: { type: 'boolean' },
    port: { 'x-kubernetes-int-or-string': true },
    otherPort: { 'x-kubernetes-int-or-string': true },
    shortPort: { 'x-kubernetes-int-or-string': true, maxLength: 5 },
    when: { type: 'string', format: 'date-time' },
    day: { type: 'string', format: 'date' },
    wait: { type: 'string', format: 'duration' },
    data: { type: 'string', format: 'byte', maxLength: 40 },
    color: { type: 'string', enum: ['red', 'green'] },
    maybe: { type: 'string', nullable: true },
    notNull: text,
    labels: { type: 'object', additionalProperties: text },
    few: { type: 'object', maxProperties: 3, additionalProperties: { type: 'string', maxLength: 10 } },
    counts: { type: 'object', additionalProperties: integer },
    nested: { type: 'object', properties: { inner: { type: 'object', properties: { value: integer, list: { type: 'array', items: text } } } } },
    items: { type: 'array', maxItems: 10, items: { type: 'object', properties: { key: { type: 'string', maxLength: 8 }, value: integer } } },
    names: { type: 'array', items: text },
    bounded: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 10 } },
    numbers: { type: 'array', items: integer },
    doubles: { type: 'array', items: { type: 'number' } },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    otherSet: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    map: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k', 'k-2'],
      items: { type: 'object', properties: { k: text, 'k-2': integer, v: integer } },
    },
    otherMap: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k', 'k-2'],
      items: { type: 'object', properties: { k: text, 'k-2': integer, v: integer } },
    },
    matrix: { type: 'array', maxItems: 3, items: { type: 'array', maxItems: 4, items: integer } },
    anything: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    partly: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: text, raw: { 'x-kubernetes-preserve-unknown-fields': true } } },
    embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true, properties: { spec: { type: 'object', properties: { a: integer } } } },
    namespace: text,
    'dash-ed': text,
    'dot.ted': text,
    'sla/shed': text,
    under__score: text,
    _private: text,
    in: text,
    '1st': text,
    'b\u00e4d': text,
  },
};

const value: JsonValue = {
  ...{ name: 'web', free: 'text', replicas: 3, ratio: 1.5, enabled: true, port: 80, otherPort: 'http', shortPort: '1' },
  ...{ when: '2023-01-02T03:04:05.5+01:00', day: '2023-01-02', wait: '1h30m', data: 'aGVsbG8=', color: 'red', maybe: null, notNull: null },
  labels: { a: 'x', b: 'y', 'c.d/e': 'z' },
  few: { a: 'b' },
  counts: { a: 1, b: 2 },
  nested: { inner: { value: 5, list: ['p', 'q'] } },
  items: [{ key: 'a', value: 1 }, { key: 'b', value: 2 }, { key: 'c' }],
  ...{ names: ['x', 'y', 'x'], bounded: ['a', 'b'], numbers: [3, 1, 2], doubles: [1, 2.5], set: ['a', 'b'], otherSet: ['b', 'a'] },
  map: [{ k: 'a', 'k-2': 1, v: 1 }, { k: 'b', 'k-2': 1, v: 2 }],
  otherMap: [{ k: 'b', 'k-2': 1, v: 2 }, { k: 'a', 'k-2': 1, v: 1 }],
  matrix: [[1, 2], [3]],
  ...{ anything: { a: 1, b: [2] }, partly: { known: 'k', unknown: 1, raw: { x: 1 } } },
  embedded: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', labels: { a: 'b' } }, spec: { a: 1 } },
  ...{ namespace: 'ns', 'dash-ed': 'd', 'dot.ted': 'o', 'sla/shed': 's', under__score: 'u', _private: 'v', in: 'i', '1st': 'f', 'b\u00e4d': 'b' },
};

const fields = Object.keys(schema.properties ?? {});

const rules = [
  ...fields.filter((name) => /^[a-zA-Z_]\w*$/.test(name)).flatMap((name) => [
    `self.${name}`,
    `has(self.${name})`,
    `self.${name} == self.${name}`,
    `self.${name} == null`,
    `type(self.${name})`,
    `size(self.${name})`,
    `self.?${name}`,
    `dyn(self.${name}) == 1`,
    `self.${name} + self.${name}`,
    `[self.${name}]`,
    `self.${name} in [self.${name}]`,
    `string(self.${name})`,
  ]),
  ...['self.dash__dash__ed', 'self.dot__dot__ted', 'self.sla__slash__shed', 'self.under__underscores__score', 'self.__namespace__', 'self.namespace', 'self.__in__'],
  ...['has(self.dash__dash__ed)', 'has(self.__namespace__)', 'self.`dash-ed`', 'self.`dot.ted`', 'self["name"]', 'self.missing', 'has(self.missing)', 'self.under__score'],
  ...['self.labels.a', 'self.labels.missing', 'has(self.labels.a)', 'has(self.labels.missing)', 'self.labels["c.d/e"]', '"a" in self.labels', '"z" in self.labels', '1 in self.labels'],
  ...['self.labels.all(k, k.size() < 10)', 'self.labels.all(k, v, v != k)', 'self.labels.transformList(k, v, v).size()'],
  ...['self.few.all(k, self.few[k].size() <= 10)', 'self.few.map(k, self.few[k]).join(",")', 'self.counts.all(k, self.counts[k] > 0)', 'self.counts.a + self.counts["b"]', 'self.labels[?"a"].orValue("")'],
  ...['self.nested.inner.value', 'self.nested.inner.list[0]', 'self.nested.inner.list[5]', 'self.nested.?inner.?value.orValue(0)', 'has(self.nested.inner.value)', 'self.nested.inner == self.nested.inner'],
  ...['self.items[0].key', 'self.items[2].value', 'has(self.items[2].value)', 'self.items.all(i, i.key.size() > 0)', 'self.items.map(i, i.key)', 'self.items.filter(i, has(i.value)).map(i, i.value).sum()'],
  ...['self.items.exists_one(i, i.key == "a")', 'self.items.all(i, self.items.exists_one(j, j.key == i.key))', 'self.items.map(i, i.key).isSorted()', 'self.items[0] == self.items[0]', 'self.items == self.items'],
  ...['self.names.all(n, self.names.exists(m, m == n))', 'self.names.join("-")', 'self.names.isSorted()', 'self.names.indexOf("y")', 'self.names.lastIndexOf("x")', 'self.names.distinct()', 'self.names.sort()'],
  ...['self.bounded.all(b, b.matches("^[a-z]+$"))', 'self.bounded.join(", ").size() < 100', 'self.bounded.map(b, b + "!").exists(b, b.startsWith("a"))', 'self.bounded.max()', 'self.bounded == ["a", "b"]'],
  ...['self.numbers.sum()', 'self.numbers.max() - self.numbers.min()', 'self.numbers.sort() == [1, 2, 3]', 'self.numbers + [4]', '[0] + self.numbers', 'self.numbers[0] + self.numbers[1]', '3 in self.numbers', '"a" in dyn(self.numbers)'],
  ...['self.doubles.sum()', 'self.doubles[0] == 1', 'self.doubles.map(x, x * 2.0)', 'self.set == self.otherSet', 'self.otherSet == self.set', 'self.set + self.otherSet', 'self.set + ["c", "c"]', 'self.set == ["b", "a"]', '["b", "a"] == self.set'],
  ...['(self.set + ["c"]) == (["c"] + self.set)', '(self.set + ["c"]) == (self.otherSet + ["c"])', 'self.set != self.otherSet', 'self.map == self.otherMap', 'self.otherMap == self.map', 'self.map + self.otherMap', 'self.map + []'],
  ...['self.map == []', '(self.map + self.otherMap).size()', '(self.map + self.map) == self.otherMap', 'self.map.all(m, m.v > 0)', 'self.map.exists(m, m.k == "a" && m.k__dash__2 == 1)', 'self.set == 5', 'dyn(self.set) == 5', 'dyn(self.names) == 5'],
  ...['dyn(self.nested) == 5', '5 == dyn(self.nested)', 'dyn(self.labels) == {"a": "x"}', 'self.labels == {"a": "x", "b": "y", "c.d/e": "z"}', '{"a": "b"} == self.few', 'self.few == {"a": "b"}', 'self.matrix.map(r, r.sum()).sum()'],
  ...['self.matrix.all(r, r.all(c, c > 0))', 'self.matrix[0][1]', 'self.matrix.flatten()', 'self.anything.a', 'self.anything == self.anything', 'self.partly.known', 'self.partly.unknown', 'self.partly == self.partly', 'self.partly.raw'],
  ...['self.embedded.kind', 'self.embedded.metadata.name', 'self.embedded.metadata.labels', 'self.embedded.spec.a', 'self.port == 80', 'self.port > 5', 'self.otherPort == "http"', 'type(self.port) == int', 'self.port + 1 == 81', 'self.otherPort + 1'],
  ...['self.when < timestamp("2024-01-01T00:00:00Z")', 'self.when.getFullYear()', 'self.day.getMonth()', 'self.wait > duration("1h")', 'self.wait.getMinutes()', 'self.data == b"hello"', 'size(self.data)', 'string(self.data)', 'self.when + self.wait'],
  ...['self.color == "red"', 'self.color in ["red", "green"]', 'self.maybe == null', 'has(self.maybe)', 'self.maybe.size()', 'self.notNull == "a"', 'has(self.notNull)', 'self.replicas > 2 && self.enabled', 'self.replicas / 0 == 1', 'self.replicas * 2 <= 10'],
  ...['self.ratio * 2.0 == 3.0', 'self.ratio > 1', 'self.ratio == 1.5', 'self.name.startsWith("w")', 'self.name + self.free', 'self.name == self.free', 'self.free.matches("^t.*t$")', 'self.free.contains(self.name)', 'self.free.split("x")', 'self.free.replace("t", "")'],
  ...['self.name.size() <= 20 ? self.free : self.name', '!has(self.missing2)', 'self == self', 'dyn(self).all(k, true)', 'self.all(k, true)', 'type(self) == map', 'self in [self]', 'self.name.format([])', '"%s-%d".format([self.name, self.replicas])'],
  ...['self.names.map(n, self.names.map(m, n + m))', 'self.names.map(n, {"n": n})', 'self.items.transformMap(i, v, v.key)', 'self.items.sortBy(i, i.key).map(i, i.key)', 'self.names.all(n, n in self.set)', 'sets.contains(self.set, ["a"])', 'sets.equivalent(self.set, self.otherSet)'],
  ...['self.names.exists(n, n == self.name) || self.labels.exists(k, k == self.name)', 'self.free.lowerAscii() == self.name.upperAscii()', 'self.bounded.filter(b, b != "a").map(b, b.size()).sum()', 'isURL(self.free)', 'url(self.free).getHost()', 'quantity(self.free)'],
  ...['self.free.find("[a-z]+")', 'self.free.findAll("t")', 'self.bounded.map(b, b.findAll("a")).size()', 'self.free.substring(1, 2)', 'self.free.indexOf("x")', 'self.name.trim().lowerAscii().replace("a", "b").split("-").join("+")', 'lists.range(self.replicas)'],
  ...['self.names.slice(0, 2)', 'self.items.map(i, i.value)', 'self.names.reverse()', 'self.name.matches(self.free)', 'self.bounded[0].charAt(0)', 'self.few.transformMap(k, v, v + k)', 'self.data + self.data', 'self.names == self.names + []', 'self.names in [self.names]'],
];

const untyped = [
  ...['object.spec.replicas', 'object.spec.replicas + 1', 'object.metadata.name == "x"', 'has(object.spec.missing)', 'object.spec.missing', 'object.spec.list.all(x, x > 0)', 'object.spec.list.map(x, x * 2)', 'object.spec.ratio'],
  ...['object.spec == object.spec', 'object.spec.list + [4]', 'object.spec.list.sum()', 'object.metadata.labels["a.b/c"]', 'object.metadata.labels.exists(k, k.startsWith("a"))', 'object.spec.template.?spec.?x.orValue("none")', 'size(object.spec.list)'],
  ...['object.metadata.name.startsWith("x")', 'object.spec.flag && true', 'object.spec.flag ? 1 : 2', 'object.spec.name + "a"', 'object.spec.list[0] == object.spec.replicas', '"a" in object.spec', 'object.spec.replicas in [1, 2, 3]', 'type(object.spec.ratio)', 'type(object.spec.replicas)'],
  ...['object.spec.nothing == null', 'has(object.spec.nothing)', 'object.spec.replicas > object.spec.ratio', 'object.spec.replicas / 2', 'object.spec.big + 1', 'object.spec.name.size()', 'object.spec.list == [1, 2, 3]', 'object.spec.list.exists(x, x == 2.0)', 'object == {"a": 1}'],
  ...['string(object.spec.replicas)', 'object.spec.name.matches("^n")', 'object.spec.list.isSorted()', 'object.spec.list.filter(x, x > object.spec.ratio)', 'object.metadata.?labels["x"]', 'object.spec.list.includes(2)', 'object.spec.replicas.foo', 'object.spec.name()', 'object.spec.list.size() == 3'],
];

const object: JsonValue = {
  metadata: { name: 'x', labels: { 'a.b/c': 'd' } },
  spec: { replicas: 2, ratio: 1.5, list: [1, 2, 3], flag: true, name: 'nm', nothing: null, template: {}, big: 9007199254740991 },
};

const questions = [
  ...['authorizer.path("/healthz").check("get").allowed()', 'authorizer.path("/healthz").check("post").allowed()', 'authorizer.path("").check("get")', 'authorizer.path(" ").check("get").allowed()', 'authorizer.group("").resource("pods").check("get").reason()'],
  ...['authorizer.group("apps").resource("deployments").subresource("scale").namespace("ns").name("n").check("update").reason()', 'authorizer.group("").resource("").check("get").allowed()', 'authorizer.group("").resource("pods").name("broken").check("get").errored()'],
  ...['authorizer.group("").resource("pods").name("broken").check("get").error()', 'authorizer.group("").resource("pods").check("get").error()', 'authorizer.group("").resource("pods").check("get").errored()', 'authorizer.serviceAccount("ns", "sa").group("").resource("pods").check("get").reason()'],
  ...['authorizer.serviceAccount("NS", "sa").path("/").check("get").allowed()', 'authorizer.serviceAccount("ns", "S A").path("/").check("get").allowed()', 'authorizer.group("").resource("pods").fieldSelector("a=b").labelSelector("c=d").check("get").allowed()', 'authorizer == authorizer'],
  ...['authorizer.group("").resource("pods").check("get").allowed() && authorizer.group("").resource("pods").check("list").allowed()', 'type(authorizer)', '[1, 2, 3].all(x, authorizer.path("/").check("get").allowed())', 'authorizer.check("get")', 'authorizer.group("").check("get")'],
];

const patches = ['jsonpatch.escapeKey("a/b~c")', 'jsonpatch.escapeKey("")', '"/metadata/labels/" + jsonpatch.escapeKey(self.free)', 'jsonpatch.escapeKey(1)'];

export function objectCases(): readonly Question[] {
  const variables = { self: { schema, value } };
  const root: JsonSchema = { type: 'object', properties: { spec: schema, status: { type: 'object', properties: { ready: { type: 'boolean' } } } } };
  const resource: JsonValue = { apiVersion: 'a/v1', kind: 'A', metadata: { name: 'n', labels: { a: 'b' } }, spec: value };
  const ofRoot = [
    ...['self.metadata.name', 'self.metadata.generateName', 'has(self.metadata.generateName)', 'self.metadata.labels', 'self.kind', 'self.apiVersion', 'self.spec.name == self.metadata.name', 'has(self.status)', 'self.status.ready'],
    ...['self.metadata.name.matches("^[a-z]+$")', 'self.metadata.name.startsWith(self.spec.name)', 'self.?status.?ready.orValue(false)', 'self.spec.items.all(i, i.key != self.metadata.name)'],
  ];
  const transitions = ['self.replicas >= oldSelf.replicas', 'oldSelf == self', 'self.set.all(x, x in oldSelf.set)', 'self.map.all(m, oldSelf.map.exists(o, o.k == m.k && o.v == m.v))', 'oldSelf.items.size() <= self.items.size()'];
  const scalars: readonly (readonly [JsonSchema, JsonValue, readonly string[]])[] = [
    [text, 'abc', ['self == "abc"', 'self.size() > 2', 'self.matches("^a")', 'self + "x"', 'self.contains("b")', 'self < "b"', 'self.x']],
    [integer, 5, ['self > 3', 'self + 1', 'self == 5.0', 'self.x', 'string(self)', 'self in [5]']],
    [{ type: 'array', items: text, maxItems: 4 }, ['a', 'b'], ['self.size() == 2', 'self.all(x, x.size() == 1)', 'self[0]', 'self == ["a", "b"]', 'self.join(",")', '"a" in self']],
    [{ type: 'object', additionalProperties: integer }, { a: 1 }, ['self.a', 'self["a"]', 'self.all(k, self[k] > 0)', '"a" in self', 'self.size()']],
    [{ type: 'string', maxLength: 100 }, 'abc', ['self.matches("^[a-z]*$")', 'self.contains(self)', 'self.split("").map(x, x + self).join("")', 'self.replace("a", "bcd")', 'self.findAll("[a-c]").size()']],
    [{ type: 'number' }, 1, ['self == 1', 'self + 1.5', 'self > 0', 'self + 1']],
    [{ type: 'integer', format: 'int64' }, 'x', ['self == 1', 'self > 0']],
    [{ type: 'string', format: 'duration' }, '2 days 3 hours', ['self.getHours()', 'string(self)']],
  ];
  return [
    ...rules.map((expression) => ({ expression, variables })),
    ...transitions.map((expression) => ({ expression, variables: { ...variables, oldSelf: { schema, value } } })),
    ...ofRoot.map((expression) => ({ expression, variables: { self: { schema: root, value: resource, root: true } } })),
    ...untyped.map((expression) => ({ expression, variables: { object: { value: object } } })),
    ...questions.map((expression) => ({ expression, variables: { authorizer: {} } })),
    ...patches.map((expression) => ({ expression, variables: { self: { schema, value } }, patch: true })),
    ...scalars.flatMap(([of, each, expressions]) =>
      expressions.map((expression) => ({ expression, variables: { self: { schema: of, value: each } } })),
    ),
    ...limits(),
  ];
}

function limits(): readonly Question[] {
  const numbers = Array.from({ length: 300 }, (_, index) => index);
  const variables = { l: { value: numbers } };
  const expressions = ['l.all(x, l.all(y, x + y >= 0))', 'l.map(x, x).size()', 'l.exists(x, x == 299)', 'l.filter(x, x % 2 == 0).sum()', 'l.map(x, l.map(y, y)).size()'];
  return expressions.flatMap((expression) => [100, 1000, 1000000].map((limit) => ({ expression, variables, limit })));
}
