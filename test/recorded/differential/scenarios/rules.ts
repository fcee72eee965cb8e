import { inNamespace, patch, post, put, scenario, type Step } from '../scenario.ts';
import { define, undefine } from './definition-steps.ts';

// Validation rules of custom resources: one field per rule, with values that satisfy it, violate it, or make it fail.

const group = 'rules.example.com';
const space = 'diff-rules';
const gadgets = `/apis/${group}/v1/namespaces/${space}/gadgets`;

type Rule = object | string;

interface Case {
  readonly schema: object;
  readonly rules: readonly Rule[];
  readonly values: readonly unknown[];
  /** Transitions between values. */
  readonly changes?: readonly (readonly [old: unknown, value: unknown])[];
}

const text = { type: 'string', maxLength: 100 };
const short = { type: 'string', maxLength: 20 };
const count = { type: 'integer' };
const words = { type: 'array', maxItems: 10, items: text };
const point = { type: 'object', properties: { x: count, y: count, label: short } };
const named = {
  type: 'array',
  maxItems: 5,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
};

function ruled(schema: object, ...rules: readonly Rule[]): object {
  return {
    ...schema,
    'x-kubernetes-validations': rules.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
  };
}

const cases: { readonly [name: string]: Case } = {
  plain: { schema: count, rules: ['self > 1', 'self < 10', 'self != 5'], values: [2, 0, 5, 11] },
  worded: {
    schema: text,
    rules: [{ rule: "self.startsWith('a')", message: '  must start with a  ' }],
    values: ['a', 'b', ''],
  },
  reasons: {
    schema: text,
    rules: [
      { rule: "self != 'forbidden'", reason: 'FieldValueForbidden' },
      { rule: "self != 'required'", reason: 'FieldValueRequired' },
      { rule: "self != 'duplicate'", reason: 'FieldValueDuplicate', message: 'again' },
      { rule: "self != 'invalid'", reason: 'FieldValueInvalid' },
    ],
    values: ['forbidden', 'required', 'duplicate', 'invalid'],
  },
  objects: {
    schema: point,
    rules: [
      { rule: 'self.x < self.y', fieldPath: '.x', message: 'x is too large' },
      { rule: "self.label != 'no'", fieldPath: '.label', reason: 'FieldValueDuplicate' },
      { rule: 'has(self.x)' },
    ],
    values: [{ x: 1, y: 2, label: 'a' }, { x: 2, y: 1, label: 'a' }, { x: 1, y: 2, label: 'no' }, { y: 1 }, {}],
  },
  told: {
    schema: point,
    rules: [
      { rule: 'self.x != 1', messageExpression: "'it is ' + self.label" },
      { rule: 'self.x != 2', messageExpression: 'string(self.y)', message: 'said otherwise' },
      { rule: 'self.x != 3', messageExpression: "' '" },
      { rule: 'self.x != 4', messageExpression: "'a\\nb'", message: 'one line' },
      { rule: 'self.x != 5', messageExpression: 'self.label', fieldPath: '.label' },
    ],
    values: [{ x: 1 }, { x: 1, label: 'a' }, { x: 2 }, { x: 2, y: 7 }, { x: 3 }, { x: 4 }, { x: 5, label: 'seven' }],
  },
  divided: { schema: count, rules: ['10 / self > 1', '10 % self == 0'], values: [5, 0] },
  large: { schema: count, rules: ['self + 9223372036854775807 > 0'], values: [0, 1] },
  first: { schema: words, rules: ["self[0] == 'a'", "self[1] == 'b'"], values: [['a', 'b'], ['a'], []] },
  either: {
    schema: { 'x-kubernetes-int-or-string': true },
    rules: ['self > 1'],
    values: [2, 0, 'a'],
  },
  mapped: {
    schema: { type: 'object', maxProperties: 5, additionalProperties: text },
    rules: ["'a' in self", "self['b'] == 'c'"],
    values: [{ a: 'a', b: 'c' }, { b: 'c' }, { a: '' }],
  },
  entries: {
    schema: {
      type: 'object',
      maxProperties: 5,
      additionalProperties: ruled(point, { rule: 'self.x > 0', fieldPath: '.x' }),
    },
    rules: [],
    values: [{ a: { x: 1 } }, { 'a.b/c': { x: 0 } }, { a: {} }],
  },
  items: {
    schema: { type: 'array', maxItems: 5, items: ruled(point, 'self.x > 0', { rule: 'self.y > 0', message: 'y' }) },
    rules: ['self.all(p, has(p.label))'],
    values: [
      [
        { x: 1, y: 1 },
        { x: 0, y: 0, label: 'b' },
        { x: 0, y: 1 },
      ],
      [{}],
    ],
  },
  nested: {
    schema: {
      type: 'array',
      maxItems: 3,
      items: { type: 'array', maxItems: 3, items: ruled(text, "self != 'no'") },
    },
    rules: [],
    values: [[['a', 'no'], ['no']]],
  },
  numbers: { schema: { type: 'number' }, rules: ['self < 1.5', "double('0.1') < self"], values: [1, 1.6, 0.05, 1e300] },
  truths: { schema: { type: 'boolean' }, rules: ['self'], values: [true, false] },
  bytes: { schema: { ...text, format: 'byte' }, rules: ["self == b'abc'"], values: ['YWJj', 'YWI='] },
  times: {
    schema: { ...text, format: 'date-time' },
    rules: ["self > timestamp('2024-01-01T00:00:00Z')"],
    values: ['2025-01-01T00:00:00Z', '2023-01-01T00:00:00Z'],
  },
  durations: {
    schema: { ...text, format: 'duration' },
    rules: ["self > duration('1m')"],
    values: ['2m', '30s'],
  },
  dates: {
    schema: { ...text, format: 'date' },
    rules: ['self.getFullYear() > 2000'],
    values: ['2001-01-01', '1999-01-01'],
  },
  nullable: { schema: { ...text, nullable: true }, rules: ["self == 'a'"], values: [null, 'a', 'b'] },
  sets: {
    schema: { ...words, 'x-kubernetes-list-type': 'set' },
    rules: ["self == ['b', 'a']"],
    values: [
      ['a', 'b'],
      ['a', 'c'],
    ],
  },
  quantities: {
    schema: text,
    rules: ["quantity(self).isGreaterThan(quantity('1Gi'))"],
    values: ['2Gi', '1Mi', 'abc'],
  },
  patterns: {
    schema: text,
    rules: ["self.matches('^[a-z]+$')", "self.find('[0-9]+') == ''"],
    values: ['abc', 'A', '1'],
  },
  urls: {
    schema: text,
    rules: ["isURL(self) && url(self).getScheme() == 'https'"],
    values: ['https://a', 'http://a', 'x'],
  },
  addresses: {
    schema: text,
    rules: ['isIP(self)', "cidr('10.0.0.0/8').containsIP(self)"],
    values: ['10.1.1.1', '1.1.1.1', 'x'],
  },
  optionals: {
    schema: point,
    rules: ["self.?label.orValue('none') == 'a'"],
    values: [{ label: 'a' }, { label: 'b' }, {}],
  },
  escaped: {
    schema: { type: 'object', properties: { 'a-b': text, namespace: text, __x: text } },
    rules: [
      "self.a__dash__b == 'a'",
      "self.__namespace__ == 'b'",
      { rule: 'has(self.__underscores__x)', fieldPath: "['a-b']" },
    ],
    values: [{ 'a-b': 'a', namespace: 'b', __x: 'c' }, { 'a-b': 'b', namespace: 'b' }, {}],
  },
  embedded: {
    schema: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    rules: ["self.metadata.name == 'a'", "self.kind == 'Pod'"],
    values: [
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } },
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'b' } },
      { apiVersion: 'v1', kind: 'Pod' },
    ],
  },
  dear: {
    schema: { type: 'array', maxItems: 50, items: count },
    rules: [{ rule: 'self.all(a, self.all(b, a + b < 1000))', message: 'dear' }],
    values: [[1, 2], Array.from({ length: 45 }, (_, index) => index), [999, 1]],
  },
  immutable: {
    schema: text,
    rules: ['self == oldSelf', { rule: "self != 'x'" }],
    values: ['a'],
    changes: [
      ['a', 'a'],
      ['a', 'b'],
      [undefined, 'a'],
      ['a', undefined],
      ['a', 'x'],
    ],
  },
  optionalOld: {
    schema: text,
    rules: [
      { rule: "oldSelf.hasValue() ? self == oldSelf.value() : self == 'first'", optionalOldSelf: true, message: 'old' },
    ],
    values: ['first', 'second'],
    changes: [
      ['first', 'first'],
      ['first', 'second'],
      [undefined, 'second'],
    ],
  },
  grown: {
    schema: {
      ...named,
      items: ruled(
        { type: 'object', required: ['name'], properties: { name: text, size: count } },
        'self.size >= oldSelf.size',
      ),
    },
    rules: ['self.all(i, oldSelf.exists(j, j.name == i.name))'],
    values: [[{ name: 'a', size: 1 }]],
    changes: [
      [
        [
          { name: 'a', size: 1 },
          { name: 'b', size: 5 },
        ],
        [
          { name: 'b', size: 4 },
          { name: 'a', size: 0 },
        ],
      ],
      [[{ name: 'a', size: 1 }], [{ name: 'c', size: 0 }]],
      [[{ name: 'a', size: 1 }], [{ name: 'a' }]],
    ],
  },
  entriesGrown: {
    schema: { type: 'object', maxProperties: 5, additionalProperties: ruled(count, 'self >= oldSelf') },
    rules: [],
    values: [],
    changes: [
      [{ a: 1 }, { a: 2, b: 0 }],
      [{ a: 1 }, { a: 0 }],
    ],
  },
};

const switchName = 'strict';
const properties = Object.fromEntries(
  Object.entries(cases).map(([name, { schema, rules }]) => [
    name,
    rules.length === 0 ? schema : ruled(schema, ...rules),
  ]),
);
const status = {
  type: 'object',
  properties: { phase: ruled(text, "self in ['a', 'b']"), seen: ruled(count, 'self >= oldSelf') },
};

const definition = {
  group,
  plural: 'gadgets',
  kind: 'Gadget',
  version: {
    subresources: { status: {} },
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: {
              ...properties,
              [switchName]: count,
              required: { type: 'object', required: ['a'], properties: { a: count } },
            },
          },
          status,
        },
        'x-kubernetes-validations': [
          { rule: "self.metadata.name != 'nobody'", message: 'is nobody' },
          {
            rule: "!has(self.spec) || !has(self.spec.strict) || self.metadata.name.startsWith('s')",
            fieldPath: '.spec.strict',
          },
        ],
      },
    },
  },
};

function gadget(name: string, spec: object | undefined, more: object = {}): object {
  return { apiVersion: `${group}/v1`, kind: 'Gadget', metadata: { name }, spec, ...more };
}

const creations: readonly Step[] = Object.entries(cases).flatMap(([name, { values }]) =>
  values.map((value) =>
    post(`${name}: ${JSON.stringify(value).slice(0, 60)}`, `${gadgets}?dryRun=All`, gadget('one', { [name]: value })),
  ),
);

const changes: readonly Step[] = Object.entries(cases).flatMap(([name, { changes: pairs = [] }]) =>
  pairs.flatMap(([old, value], index) => {
    const object = `${name.toLowerCase()}-${index}`;
    const body = { spec: { [name]: value ?? null, [switchName]: null } };
    return [
      post(`${object} before`, gadgets, gadget(object, { [name]: old })),
      patch(`${object} becomes ${JSON.stringify(value)}`, `${gadgets}/${object}?dryRun=All`, { type: 'merge', body }),
    ];
  }),
);

const loose = {
  ...definition,
  version: {
    ...definition.version,
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  },
};

/** Values that were already invalid when the rules were added. */
const wrong: readonly (readonly [field: string, before: unknown, ...after: unknown[]])[] = [
  ['plain', 0, 0, -1, 2],
  ['worded', 'b', 'b', 'c', null],
  ['items', [{ x: 0, y: 1, label: 'a' }], [{ x: 0, y: 1, label: 'a' }], [{ x: 0, y: 1, label: 'b' }]],
  ['objects', { x: 2, y: 1, label: 'a' }, { label: 'a' }, { label: 'c' }, { x: 0 }],
  ['immutable', 'x', 'x'],
  ['nested', [['no']], [['no']], [['no'], ['a']]],
  ['grown', [{ name: 'a', size: 0 }], [{ name: 'a', size: 0, more: 1 }]],
  ['entries', { a: { x: 0 } }, { a: { x: 0 } }, { b: { x: 1 } }, { a: { y: 1 } }],
];

const definitionPath = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.${group}`;

function schemaPatch(name: string, { version }: typeof definition | typeof loose): Step {
  const body = [{ op: 'replace', path: '/spec/versions/0/schema', value: version.schema }];
  return patch(name, definitionPath, { type: 'json', body });
}

const ratchet: readonly Step[] = [
  schemaPatch('no rules', loose),
  ...wrong.map(([field, before]) => ({
    ...post(`wrong ${field}`, gadgets, gadget(`wrong-${field}`, { [field]: before })),
    until: 'resourceVersion',
  })),
  schemaPatch('rules', definition),
  { ...post('rules are there', `${gadgets}?dryRun=All`, gadget('nobody', {})), until: 'is nobody' },
  ...wrong.flatMap(([field, , ...after]) =>
    after.map((value) =>
      patch(`wrong ${field} becomes ${JSON.stringify(value)}`, `${gadgets}/wrong-${field}?dryRun=All`, {
        type: 'merge',
        body: { metadata: { labels: { a: 'b' } }, spec: { [field]: value } },
      }),
    ),
  ),
];

export const rules = scenario('rules', [
  inNamespace(space),
  ...define(definition),
  { ...post('rules', `${gadgets}?dryRun=All`, gadget('nobody', { strict: 1 })), until: 'is nobody' },
  ...creations,
  post('blocked', `${gadgets}?dryRun=All`, gadget('nobody', { required: {} })),
  post('blocked by a type', `${gadgets}?dryRun=All`, gadget('nobody', { plain: 'a' })),
  post(
    'not blocked',
    `${gadgets}?dryRun=All`,
    gadget('nobody', { strict: 1 }, { metadata: { name: 'nobody', labels: { 'a b': '' } } }),
  ),
  ...changes,
  post('with a status', gadgets, gadget('status', {}, { status: { phase: 'z' } })),
  ...[{ phase: 'z' }, { phase: 'a', seen: 2 }, { seen: 1 }, { seen: 3, phase: 'c' }].map((body) =>
    patch(`status: ${JSON.stringify(body)}`, `${gadgets}/status/status`, { type: 'merge', body: { status: body } }),
  ),
  put(
    'by an update',
    `${gadgets}/status`,
    gadget('status', { plain: 0 }, { metadata: { name: 'status', resourceVersion: '1' } }),
  ),
  {
    ...patch('by an apply', `${gadgets}/applied?fieldManager=me`, {
      type: 'merge',
      body: gadget('applied', { plain: 0 }),
    }),
    contentType: 'application/apply-patch+yaml',
  },
  ...ratchet,
  ...undefine(`gadgets.${group}`),
]);
