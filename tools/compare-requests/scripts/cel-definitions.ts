import { randomQuestion } from '../../fuzz-cel/random-question.ts';
import { definition, definitionsPath, schema } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { forEach, post } from '../steps.ts';

const group = 'cel-definitions.example.com';
const text = { type: 'string' };
const integer = { type: 'integer' };

/** Fields of every type, few of them bounded. */
const properties = {
  ...{ name: { type: 'string', maxLength: 20 }, free: text, replicas: integer, ratio: { type: 'number' } },
  ...{ enabled: { type: 'boolean' }, port: { 'x-kubernetes-int-or-string': true } },
  ...{ when: { type: 'string', format: 'date-time' }, wait: { type: 'string', format: 'duration' } },
  ...{ data: { type: 'string', format: 'byte' }, maybe: { type: 'string', nullable: true } },
  ...{ labels: { type: 'object', additionalProperties: text }, names: { type: 'array', items: text } },
  nested: { type: 'object', properties: { inner: { type: 'object', properties: { value: integer } } } },
  items: { type: 'array', maxItems: 10, items: { type: 'object', properties: { key: text, value: integer } } },
  set: { type: 'array', 'x-kubernetes-list-type': 'set', maxItems: 5, items: { type: 'string', maxLength: 10 } },
  map: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { type: 'object', required: ['k'], properties: { k: { type: 'string', maxLength: 9 }, v: integer } },
  },
  anything: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  ...{ namespace: text, 'dash-ed': text, under__score: text, 'b\u00e4d': text },
};

const ok = 'self.replicas > 0';

/** Rules of the object with those fields. */
const rules: { readonly [name: string]: object | readonly object[] } = {
  'no rule': {},
  'an empty rule': { rule: '' },
  'a blank rule': { rule: ' \n' },
  'a null rule': { rule: null },
  'a number as a rule': { rule: 1 },
  'two lines without a message': { rule: 'self.replicas\n > 0' },
  'two lines with a message': { rule: 'self.replicas\n > 0', message: 'positive' },
  'an empty message': { rule: ok, message: '' },
  'a blank message': { rule: ok, message: '  ' },
  'a message of two lines': { rule: ok, message: 'a\nb' },
  'a message that ends a line': { rule: ok, message: 'a\n' },
  'a long message': { rule: ok, message: 'm'.repeat(2049) },
  'a message and its expression': { rule: ok, message: 'm', messageExpression: '"e"' },
  'a number as a message': { rule: ok, messageExpression: 'self.replicas' },
  'an empty message expression': { rule: ok, messageExpression: '' },
  'a blank message expression': { rule: ok, messageExpression: '   ' },
  'an unknown field in a message': { rule: ok, messageExpression: 'self.nope' },
  'a broken message': { rule: ok, messageExpression: '"a' },
  'a dear message': { rule: ok, messageExpression: 'self.names.map(x, self.names.map(y, x + y).join("")).join("")' },
  'the old object in a message': { rule: ok, messageExpression: 'string(oldSelf.replicas)' },
  'the old object in a message of a transition': {
    rule: 'self.replicas >= oldSelf.replicas',
    messageExpression: 'string(oldSelf.replicas)',
  },
  'an optional old object': { rule: 'oldSelf.hasValue()', optionalOldSelf: true },
  'an optional old object in a message': {
    rule: 'oldSelf.hasValue()',
    messageExpression: 'oldSelf.replicas.orValue("")',
    optionalOldSelf: true,
  },
  'an optional old object that is not used': { rule: ok, optionalOldSelf: true },
  'an old object that is not optional': { rule: 'oldSelf.hasValue()', optionalOldSelf: false },
  'an old object as optional': { rule: 'oldSelf.replicas > 0', optionalOldSelf: true },
  'an old object without end': { rule: 'oldSelf.?replicas.orValue(0) > 0', optionalOldSelf: true },
  'the same rule twice': [{ rule: ok }, { rule: ok }],
  'two wrong rules': [{ rule: 'self.nope' }, { rule: '1 + "a"' }, { rule: ok, fieldPath: '.nope' }],
  'wrong everywhere': { rule: 'self.x', messageExpression: 'self.y', fieldPath: '.z', reason: 'Nope', message: '' },
  'all right': { rule: ok, messageExpression: '"e"', fieldPath: '.replicas', reason: 'FieldValueInvalid' },
};
const reasons = ['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate', 'Nope', ''];
const paths = [
  ...['.replicas', 'replicas', '.', '', ' .replicas', '.nested.inner.value', '.nested.inner.nope', '.nested..inner'],
  ...[
    ".labels['a']",
    '.labels.a',
    ".labels['a.b/c']",
    '.labels["a"]',
    '.labels[a]',
    '.names[0]',
    '.names',
    '.items[0].key',
  ],
  ...['.items.key', ".nested['inner']", ".['replicas']", "['replicas']", '.anything.a', '.embedded.metadata.name'],
  ...[
    '.metadata.name',
    '.dash-ed',
    ".['dash-ed']",
    '.dash__dash__ed',
    '.namespace',
    '.__namespace__',
    '.b\u00e4d',
    '.nested.',
  ],
  ...[
    '.set[0]',
    ".map['a']",
    '.replicas.a',
    '.embedded.spec',
    '.kind',
    '.labels',
    '.nested.inner',
    ".nested['inner",
    '\n',
  ],
];
const expressions = [
  ...['self', 'true', 'false', '1', 'self.nope', 'self.replicas', 'nope', 'oldSelf', 'oldSelf == self', 'self == self'],
  ...[
    'self.metadata.name == ""',
    'self.metadata.generateName == ""',
    'self.metadata.labels.size() == 0',
    'self.kind == ""',
  ],
  ...[
    'self.apiVersion == ""',
    'self.embedded.kind == ""',
    'self.embedded.spec == 1',
    'self.embedded.metadata.labels == {}',
  ],
  ...[
    'self.namespace == ""',
    'self.__namespace__ == ""',
    'self.dash__dash__ed == ""',
    'self.under__underscores__score == ""',
  ],
  ...[
    'self["replicas"] > 0',
    'has(self.replicas)',
    'has(self)',
    'has(self.nope)',
    'has(self.names[0])',
    'self.?free.hasValue()',
  ],
  ...['self.names[?0].orValue("") == ""', 'self.labels.?a == optional.none()', 'optional.none()', 'self.maybe == null'],
  ...['self.free == null', 'self.replicas == null', 'self.port == 1', 'self.port == "a"', 'type(self.port) == int'],
  ...[
    'self.anything.a == 1',
    'self.anything == {}',
    'self.items[0] == self.items[1]',
    'self.items == []',
    'self.nested == {}',
  ],
  ...[
    'self.replicas + 1.0 > 0',
    'self.replicas > 1.5',
    'self.ratio > 1',
    'self.replicas == 1u',
    'self.name + 1',
    '-self.name',
  ],
  ...['self.when > timestamp(self.free)', 'self.when - self.when > self.wait', 'self.wait > "1h"', 'self.data == b""'],
  ...[
    'self.names.all(x, x.matches("["))',
    'self.name.matches("(")',
    'self.name.matches(self.free)',
    'self.names.exists(x, y)',
  ],
  ...[
    'self.names.all(x, 1)',
    'self.names.all(self, true)',
    'self.names.all(x.y, true)',
    'self.names.map(x, x)',
    'self.names.sum()',
  ],
  ...[
    'self.items.map(i, i.value).sum() > 0',
    'self.items.isSorted()',
    'self.names.isSorted()',
    'self.set + self.set == self.set',
  ],
  ...[
    'self.map + self.map == self.map',
    'self.map.exists_one(e, e.k == "a")',
    'self.set.all(x, self.set.exists(y, y == x))',
  ],
  ...['self.names.all(x, self.names.all(y, self.names.all(z, x == y || y == z)))', 'self.free.contains(self.free)'],
  ...['self.names.all(a, self.labels.all(b, a == b))', 'self.items.all(a, self.items.all(b, a.key == b.key))'],
  ...['quantity(self.free).isGreaterThan(quantity("1"))', 'quantity("x").sign() == 1', 'duration("x") == self.wait'],
  ...[
    'cidr("10.0.0.0/8").containsIP(self.free)',
    'ip(self.free).family() == 4',
    'url(self.free).getHost() == ""',
    'isURL(self.free)',
  ],
  ...[
    'format.dns1123Label().validate(self.name).hasValue()',
    'format.named("x").hasValue()',
    'semver(self.free).major() == 1',
  ],
  ...[
    'authorizer.path("/").check("get").allowed()',
    'object == null',
    'request.name == ""',
    'variables.a',
    'params.a',
    'namespaceObject',
  ],
  ...[
    'cel.bind(x, self.replicas, x > 0)',
    'self.names.transformList(i, v, v).size() > 0',
    'sets.contains(self.names, ["a"])',
  ],
  ...[
    'self.labels.transformMap(k, v, v) == self.labels',
    '"%s".format([self.replicas]) == ""',
    '"%d %s".format([1]) == ""',
  ],
  ...[
    'self.name.format([]) == ""',
    'self.names.join() == ""',
    'self.name.split("") == []',
    'self.name.replace("", "a") == ""',
  ],
  ...[
    'math.greatest(1, 2) == 2',
    'base64.encode(b"") == ""',
    'proto.hasExt(self, a)',
    'strings.quote(self.name) == ""',
  ],
  ...[
    'true && ',
    '(',
    ')',
    'self..replicas',
    'self.1',
    '1 1',
    'a ? b',
    'true ? 1 : "a"',
    '[1, "a"] == []',
    '{1: 2, "a": 3} == {}',
  ],
  ...[
    'self.replicas > 9223372036854775808',
    '0xFFFFFFFFFFFFFFFFF > 1',
    '1e400 > 1.0',
    '"\\q" == ""',
    "'a",
    '"""a"""== ""',
    'b"\\xff" == b""',
  ],
  ...[
    '`a` == 1',
    'self.`dash-ed` == ""',
    'in',
    'self.in',
    'if',
    'null',
    'self.replicas == 1 // c',
    '\u00e9 == 1',
    'self.b\u00e4d == ""',
  ],
  ...[
    '"a" in self.names',
    '1 in self.names',
    '"a" in self.labels',
    'self.name in self.labels',
    'self.replicas in [1, 2]',
    'self in [self]',
  ],
  ...[
    'int(self.name) == 1',
    'string(self.replicas) == ""',
    'bytes(self.name) == b""',
    'dyn(self.replicas) == "a"',
    'type(self) == map',
  ],
  ...[
    'int',
    'type(self.replicas) == int',
    'size(self) == 1',
    'self.size() == 1',
    'self.names.size(1) == 1',
    'size(self.names, 1) == 1',
  ],
  ...[
    'google.protobuf.Timestamp{seconds: 1} == self.when',
    'google.protobuf.Nope{}',
    'Object{} == self',
    'x.y.z{a: 1} == 1',
  ],
  ...[
    `${'('.repeat(60)}true${')'.repeat(60)}`,
    `${'!'.repeat(101)}true`,
    Array.from({ length: 300 }, () => 'true').join(' && '),
  ],
  ...[
    `"${'a'.repeat(9000)}" == self.name`,
    Array.from({ length: 40 }, (_, at) => `self.nope${String(at)}`).join(' || '),
  ],
  ...[`${'self.nested.'.repeat(1)}${'a.'.repeat(50)}b == 1`, '[' + '['.repeat(50) + ']'.repeat(50) + '] == []'],
];

/** Without one whose literal has bytes as keys of a map, at which the reference breaks the connection. */
const randomSeeds = Array.from({ length: 300 }, (_, at) => at + 330_000).filter((seed) => seed !== 330_246);

function dryRun(name: string, spec: object): Step {
  const body = definition({ group, plural: 'rules', kind: 'Rule', properties: { spec } });
  return post(name, `${definitionsPath}?dryRun=All`, body);
}

const ofObject = (rule: object | readonly object[]): object => ({
  type: 'object',
  properties,
  'x-kubernetes-validations': Array.isArray(rule) ? rule : [rule],
});

/** Where in a schema a rule may stand. */
const places: { readonly [name: string]: (rule: object) => object } = {
  'of an item': (rule) => nested({ type: 'array', items: withRule(text, rule) }),
  'of an item of a set': (rule) => nested({ ...properties.set, items: withRule(properties.set.items, rule) }),
  'of an item of a map': (rule) => nested({ ...properties.map, items: withRule(properties.map.items, rule) }),
  'of a value': (rule) => nested({ type: 'object', additionalProperties: withRule(text, rule) }),
  'of an item of a value': (rule) =>
    nested({ type: 'object', additionalProperties: { type: 'array', items: withRule(text, rule) } }),
  'of an int-or-string': (rule) => nested(withRule({ 'x-kubernetes-int-or-string': true }, rule)),
  'of free-form data': (rule) => nested(withRule({ 'x-kubernetes-preserve-unknown-fields': true }, rule)),
  'of an embedded object': (rule) => nested(withRule(properties.embedded, rule)),
  'of an object in an atomic list': (rule) => nested({ type: 'array', items: withRule(properties.nested, rule) }),
  'of an atomic object': (rule) => nested(withRule({ ...properties.nested, 'x-kubernetes-map-type': 'atomic' }, rule)),
  'below not': (rule) => ({ type: 'object', properties, not: withRule({ required: ['a'] }, rule) }),
  'below all of': (rule) => ({ type: 'object', properties, allOf: [withRule({ required: ['a'] }, rule)] }),
};

function withRule(schema_: object, rule: object): object {
  return { ...schema_, 'x-kubernetes-validations': [rule] };
}

function nested(field: object): object {
  return { type: 'object', properties: { field } };
}

const placed: { readonly [name: string]: object } = {
  'a plain rule': { rule: 'self != null' },
  'a transition': { rule: 'self == oldSelf' },
  'an optional transition': { rule: 'self == oldSelf.orValue(self)', optionalOldSelf: true },
  'a message of the old': { rule: 'self == oldSelf', messageExpression: 'string(dyn(oldSelf))' },
  'an unknown field': { rule: 'self.nope == 1' },
  'a dear rule': { rule: 'dyn(self) == self && "a".matches("b*") && dyn(self) in [self]' },
};

const root = { rule: 'self.metadata.name == self.spec.name && self.status.ready', fieldPath: '.spec.name' };

/** Rules in definitions: what is said of those that are wrong, too dear, or in a place where they are not allowed. */
export const celDefinitions = script(
  'cel-definitions',
  forEach(rules, (rule, name) => dryRun(`rules: ${name}`, ofObject(rule))),
  reasons.map((reason) => dryRun(`reason: ${reason}`, ofObject({ rule: ok, reason }))),
  paths.map((fieldPath) => dryRun(`path: ${fieldPath}`, ofObject({ rule: ok, fieldPath }))),
  expressions.map((rule) => dryRun(`rule: ${rule.slice(0, 90)}`, ofObject({ rule, message: 'm' }))),
  expressions
    .filter((_, at) => at % 3 === 0)
    .map((messageExpression) =>
      dryRun(`message: ${messageExpression.slice(0, 90)}`, ofObject({ rule: ok, messageExpression })),
    ),
  forEach(places, (place, where) =>
    Object.entries(placed).map(([name, rule]) => dryRun(`${name} ${where}`, place(rule))),
  ),
  randomSeeds.map((seed) => {
    const { expression } = randomQuestion(seed);
    return dryRun(
      `random ${String(seed)}`,
      ofObject({ rule: expression, message: 'm', messageExpression: expression }),
    );
  }),
  post('a rule of the whole', `${definitionsPath}?dryRun=All`, {
    ...definition({
      ...{ group, plural: 'rules', kind: 'Rule' },
      version: {
        schema: schema(
          {
            spec: { type: 'object', properties },
            status: { type: 'object', properties: { ready: { type: 'boolean' } } },
          },
          { 'x-kubernetes-validations': [root] },
        ),
      },
    }),
  }),
);
