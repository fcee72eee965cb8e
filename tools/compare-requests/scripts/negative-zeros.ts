import { configMap, instance, places } from '../objects.ts';
import { define, definitionsPath, definition } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put, tableType } from '../steps.ts';

const space = 'negative-zeros';
const number = { type: 'number' };
const custom = {
  group: 'negative-zeros.example.com',
  plural: 'zeros',
  kind: 'Zero',
  properties: {
    spec: {
      type: 'object',
      properties: {
        number,
        float: { type: 'number', format: 'float' },
        double: { type: 'number', format: 'double' },
        integer: { type: 'integer' },
        either: { 'x-kubernetes-int-or-string': true },
        chosen: { type: 'number', enum: [1, 2.5] },
        chosenZero: { type: 'number', enum: [0, 1] },
        positive: { type: 'number', minimum: 1 },
        open: { type: 'number', minimum: 0, exclusiveMinimum: true },
        multiple: { type: 'number', multipleOf: 2 },
        set: { type: 'array', items: number, 'x-kubernetes-list-type': 'set' },
        integers: { type: 'array', items: { type: 'integer' }, 'x-kubernetes-list-type': 'set' },
        map: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: { type: 'object', required: ['k'], properties: { k: number, v: { type: 'string' } } },
        },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        text: { type: 'string' },
        ruled: {
          type: 'number',
          // Each is false for one of the two zeros, or for both.
          'x-kubernetes-validations': [
            'self != 0.0',
            '1.0 / self > 0.0',
            '-1.0 / self > 0.0',
            'self > 0.0',
            '-self > 0.0',
            '1.0 / -self > 0.0',
            'string(self) == "0"',
            'string(-self) == "0"',
            'string([self][0]) == "-0"',
            'string(self * 1.0) == "0"',
            'string(0.0 - self) == "-0"',
            'string(self + 0.0) == "-0"',
            'string(int(self)) == "-0"',
            '"%s".format([self]) == "0"',
            '"%f".format([self]) == "0.000000"',
            '"%e".format([self]) == "0.000000e+00"',
            '"%s".format([[self]]) == "[0]"',
            '"%s".format([{"a": self}]) == "{a: 0}"',
            'self == -0.0 && self < 0.0',
          ].map((rule) => ({ rule, message: rule })),
        },
      },
    },
  },
  version: {
    additionalPrinterColumns: [
      { name: 'Number', type: 'number', jsonPath: '.spec.number' },
      { name: 'Integer', type: 'integer', jsonPath: '.spec.integer' },
      { name: 'Text', type: 'string', jsonPath: '.spec.number' },
      { name: 'List', type: 'string', jsonPath: '.spec.set' },
      { name: 'Each', type: 'string', jsonPath: '.spec.set[*]' },
      { name: 'Free', type: 'string', jsonPath: '.spec.free' },
    ],
  },
} as const;
const zeros = places.custom(custom.group, custom.plural, space);

/** `#` stands for the number, as it is written. */
const specs: { readonly [name: string]: string } = {
  ...Object.fromEntries(
    [
      'number',
      'float',
      'double',
      'integer',
      'either',
      'chosen',
      'chosenZero',
      'positive',
      'open',
      'multiple',
      'ruled',
      'text',
    ].map((field) => [field, `{"${field}": #}`] as const),
  ),
  set: '{"set": [#]}',
  'set with zero': '{"set": [#, 0]}',
  'set with zeros': '{"set": [#, 0.0]}',
  'set of two': '{"set": [#, #]}',
  integers: '{"integers": [#, 1]}',
  'integers with zero': '{"integers": [#, 0]}',
  map: '{"map": [{"k": #, "v": "a"}]}',
  'map with zero': '{"map": [{"k": #, "v": "a"}, {"k": 0, "v": "b"}]}',
  'map of two': '{"map": [{"k": #}, {"k": #}]}',
  free: '{"free": {"a": #, "b": [#], "c": {"d": #}}}',
};
const numbers = ['-0', '-0.0', '-0e0', '0.0', '-0.00', '-1e-400', '-0E5'];

function bodyOf(name: string, spec: string, value: string): string {
  const text = JSON.stringify(instance(custom, name, { spec: '@' }));
  return text.replace('"@"', () => spec.replaceAll('#', value));
}

const ofType = { contentType: 'application/json' };
const yaml = { contentType: 'application/yaml' };

function stepsOf(value: string): readonly Step[] {
  return forEach(specs, (spec, name) => {
    const called = (what: string): string => `${value}: ${name}: ${what}`;
    const object = `z${String(numbers.indexOf(value))}-${name.replaceAll(' ', '-').toLowerCase()}`;
    const body = bodyOf(object, spec, value);
    return [
      post(called('post'), zeros, body, ofType),
      apply(called('apply'), `${zeros}/${object}-a`, bodyOf(`${object}-a`, spec, value), 'one'),
      apply(called('apply again'), `${zeros}/${object}-a`, bodyOf(`${object}-a`, spec, value), 'two'),
      apply(called('apply zero'), `${zeros}/${object}-a`, bodyOf(`${object}-a`, spec, '0'), 'three'),
      patch(called('merge'), 'merge', `${zeros}/${object}-a`, `{"spec": ${spec.replaceAll('#', value)}}`),
      post(called('yaml'), `${zeros}?dryRun=All`, bodyOf(`${object}-y`, spec, value), yaml),
      get(called('get'), `${zeros}/${object}-a`),
    ];
  });
}

const withDefaults = {
  group: 'negative-zeros.example.com',
  plural: 'defaults',
  kind: 'Default',
  properties: {
    n: { type: 'number', default: '#' },
    list: { type: 'array', items: number, default: ['#'] },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, default: { a: '#' } },
    chosen: { type: 'number', enum: ['#', 1] },
  },
};

const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const bindings = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';
const texts = [
  'string(-0.0)',
  'string(0.0 * -1.0)',
  '"%s".format([-0.0])',
  '"%s".format([[-0.0]])',
  '"%f".format([-0.0])',
];
const more = [
  '"%e".format([-0.0])',
  'string(dyn(-0.0))',
  '"%s".format([{"a": -0.0}])',
  'string(-0.0 + 0.0)',
  'string(double("-0"))',
];

function policySteps(): readonly Step[] {
  return [
    post('policy', policies, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'negative-zeros' },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        },
        validations: [{ expression: 'false', messageExpression: [...texts, ...more].join(' + " " + ') }],
      },
    }),
    post(
      'binding',
      bindings,
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name: 'negative-zeros' },
        spec: {
          policyName: 'negative-zeros',
          validationActions: ['Deny'],
          matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': space } } },
        },
      },
      { settles: 'slowly' },
    ),
    post('a message', places.configMaps(space), configMap('a')),
  ];
}

/** Negative zeros: in values, keys, owners, causes, messages, defaults, columns and formats. */
export const negativeZeros = script(
  'negative-zeros',
  inNamespace(space),
  define(custom),
  post(
    'a definition with defaults',
    definitionsPath,
    JSON.stringify(definition(withDefaults)).replaceAll('"#"', '-0.0'),
    {
      ...ofType,
      settles: 'slowly',
    },
  ),
  get('the definition', `${definitionsPath}/defaults.negative-zeros.example.com`),
  post('defaults', places.custom(custom.group, 'defaults', space), instance(withDefaults, 'a', { chosen: 2 })),
  post('good defaults', places.custom(custom.group, 'defaults', space), instance(withDefaults, 'a', { chosen: 1 })),
  numbers.flatMap(stepsOf),
  get('a table', zeros, { accept: tableType }),
  get('as YAML', zeros, { accept: 'application/yaml' }),
  get('as CBOR', zeros, { accept: 'application/cbor' }),
  put('put', `${zeros}/put`, bodyOf('put', '{"number": #}', '-0.0'), ofType),
  policySteps(),
);
