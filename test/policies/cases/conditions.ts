import type { JsonObject } from '../../../src/api/json/json.ts';
import type { PolicyCase } from '../policy-case.ts';
import { create, policyCase, validation } from './writes.ts';

// Match conditions, messages, several validations, and what they may cost.

const failing = "object.data.missing == 'x'";
const denied = validation('false', { message: 'the message' });

const conditions = (name: string, expressions: readonly string[], more: JsonObject = {}): readonly PolicyCase[] =>
  (['Fail', 'Ignore'] as const).map((failurePolicy) =>
    policyCase(`${name}, ${failurePolicy}`, {
      failurePolicy,
      ...denied,
      matchConditions: expressions.map((expression, index) => ({ name: `c${index}`, expression })),
      ...more,
    }),
  );

const big = 'x'.repeat(100_000);
/** Costs 1000 units for each character that is looked for, and little time. */
const without = (count: number): string => `!object.data.big.contains('${'y'.repeat(count)}')`;
/** About 400,000 units. */
const dear = without(400);
/** More than a million. */
const tooDear = without(1100);
const ofBig = (each: PolicyCase): PolicyCase => ({
  ...each,
  steps: [create('one', { data: { a: '1', b: 'text', big } })],
});
const many = (count: number, expression: string): JsonObject => ({
  validations: Array.from({ length: count }, () => ({ expression, message: 'm' })),
});

const met: readonly PolicyCase[] = [
  ...conditions('a condition that is true', ['true']),
  ...conditions('one that is false', ['false']),
  ...conditions('one that fails', [failing]),
  ...conditions('true and false', ['true', 'false']),
  ...conditions('false and one that fails', ['false', failing]),
  ...conditions('one that fails and false', [failing, 'false']),
  ...conditions('one that fails and true', [failing, 'true']),
  ...conditions('two that fail alike', [failing, failing]),
  ...conditions('two that fail', [failing, 'object.other']),
  ...conditions('about variables', ['variables.x == "1"'], { variables: [{ name: 'x', expression: 'object.data.a' }] }),
  ...conditions('about variables that fail', ['variables.x == "1"'], {
    variables: [{ name: 'x', expression: 'object.other' }],
  }),
  ...conditions('about params', ['params == null'], { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
  ...conditions('about the namespace', ["namespaceObject.metadata.name != ''"]),
  ...conditions('about the namespace that is not there', ['namespaceObject == null']),
  ...conditions('about permissions', ["authorizer.group('').resource('pods').check('get').allowed()"]),
  ...conditions('about permission for the request', ["authorizer.requestResource.check('create').allowed()"]),
  ...conditions('about the request', ["request.operation == 'CREATE' && request.resource.resource == 'configmaps'"]),
  ...conditions('too dear for one', [tooDear]).map(ofBig),
  ...conditions('too dear together', [dear, dear, dear, dear, dear, dear, dear, dear]).map(ofBig),
  ...conditions('too dear together, after one that is false', [
    'false',
    dear,
    dear,
    dear,
    dear,
    dear,
    dear,
    dear,
    dear,
  ]).map(ofBig),
];

const reasons: readonly PolicyCase[] = ['Unauthorized', 'Forbidden', 'Invalid', 'RequestEntityTooLarge'].map((reason) =>
  policyCase(`reason ${reason}`, validation('false', { reason, message: 'm' })),
);

const long = (count: number): string =>
  `'${'x'.repeat(60)}${'-'.repeat(4)}'.split('').map(c, '${'y'.repeat(count)}').join('')`;
const messages: readonly PolicyCase[] = [
  policyCase('no message', validation('1 == 2')),
  policyCase('no message, blanks around the expression', validation('  1 == 2\n ')),
  policyCase('a message with blanks', validation('false', { message: '  spaced  ' })),
  policyCase(
    'a message expression',
    validation('false', { message: 'other', messageExpression: "'got ' + object.data.a" }),
  ),
  policyCase('an empty message expression', validation('false', { message: 'other', messageExpression: "''" })),
  policyCase('a blank message expression', validation('false', { message: 'other', messageExpression: "'  \\t '" })),
  policyCase(
    'a message expression of two lines',
    validation('false', { message: 'other', messageExpression: "'a\\nb'" }),
  ),
  policyCase(
    'a message expression with a line end',
    validation('false', { message: 'other', messageExpression: "' a\\n'" }),
  ),
  policyCase(
    'a message expression with a carriage return',
    validation('false', { message: 'o', messageExpression: "'a\\rb'" }),
  ),
  policyCase(
    'a message expression that fails',
    validation('false', { message: 'other', messageExpression: 'object.other' }),
  ),
  policyCase('a message expression that fails, alone', validation('false', { messageExpression: 'object.other' })),
  policyCase(
    'a message expression of 5000 bytes',
    validation('false', { message: 'other', messageExpression: long(78) }),
  ),
  policyCase(
    'a message expression of 6000 bytes',
    validation('false', { message: 'other', messageExpression: long(94) }),
  ),
  policyCase(
    'a message expression with quotes',
    validation('false', { messageExpression: `'"quoted" \\\\ <b>é\\u{1f600}'` }),
  ),
  policyCase('a message expression about variables', {
    ...validation('variables.bad', { messageExpression: "'v ' + variables.text" }),
    variables: [
      { name: 'bad', expression: 'false' },
      { name: 'text', expression: "'t'" },
    ],
  }),
  policyCase('a message expression about variables that ask for permission', {
    ...validation('false', { message: 'other', messageExpression: "variables.may ? 'may' : 'may not'" }),
    variables: [{ name: 'may', expression: "authorizer.group('').resource('pods').check('get').allowed()" }],
  }),
  policyCase('a warning with a message expression', validation('false', { messageExpression: `'"a" \\\\ é'` }), {
    validationActions: ['Warn'],
  }),
  policyCase('a long warning', validation('false', { messageExpression: long(78) }), { validationActions: ['Warn'] }),
];

const several: readonly PolicyCase[] = [
  policyCase('two validations that fail', {
    validations: [
      { expression: 'false', message: 'a' },
      { expression: 'false', message: 'b', reason: 'Forbidden' },
    ],
  }),
  policyCase('the second fails', {
    validations: [
      { expression: 'true', message: 'a' },
      { expression: 'false', message: 'b', reason: 'Forbidden' },
    ],
  }),
  policyCase('one cannot be evaluated, one fails', {
    validations: [
      { expression: failing, message: 'a' },
      { expression: 'false', message: 'b', reason: 'Forbidden' },
    ],
  }),
  policyCase(
    'two warnings',
    {
      validations: [
        { expression: 'false', message: 'a' },
        { expression: 'false', message: 'b' },
      ],
    },
    { validationActions: ['Warn'] },
  ),
  policyCase(
    'the same warning twice',
    {
      validations: [
        { expression: 'false', message: 'a' },
        { expression: '1 > 2', message: 'a' },
      ],
    },
    { validationActions: ['Warn'] },
  ),
  {
    ...policyCase('a policy warns, another denies', validation('false', { message: 'warned' })),
    policies: [validation('false', { message: 'warned' }), validation('false', { message: 'denied' })],
    bindings: [{ validationActions: ['Warn'] }, {}],
  },
  {
    ...policyCase('two bindings of one policy', validation('false', { message: 'm' })),
    bindings: [{ validationActions: ['Warn'] }, { policyName: 'policy-CASE-0' }],
  },
  { ...policyCase('a policy without a binding', denied), bindings: [] },
  { ...policyCase('a binding without its policy', denied), bindings: [{ policyName: 'nothing' }] },
];

const annotations = (name: string, valueExpression: string): readonly PolicyCase[] =>
  (['Fail', 'Ignore'] as const).map((failurePolicy) =>
    policyCase(`annotation ${name}, ${failurePolicy}`, {
      failurePolicy,
      auditAnnotations: [{ key: 'k', valueExpression }],
    }),
  );

const audited: readonly PolicyCase[] = [
  ...annotations('of text', "'value ' + object.data.a"),
  ...annotations('of nothing', 'null'),
  ...annotations('that is empty', "''"),
  ...annotations('that fails', 'object.other'),
  ...annotations('that asks for permission', "authorizer.path('/healthz').check('get').allowed() ? 'yes' : 'no'"),
  ...annotations('of a namespace', "has(namespaceObject.metadata.labels) ? 'labels' : 'none'"),
  ...annotations('too dear', `${tooDear} ? 'a' : 'b'`).map(ofBig),
];

const costs: readonly PolicyCase[] = (['Fail', 'Ignore'] as const).flatMap((failurePolicy) => [
  policyCase(`a dear expression, ${failurePolicy}`, { failurePolicy, ...validation(dear) }),
  policyCase(`an expression too dear, ${failurePolicy}`, { failurePolicy, ...validation(tooDear) }),
  policyCase(`dear expressions, ${failurePolicy}`, { failurePolicy, ...many(20, dear) }),
  policyCase(`too many dear expressions, ${failurePolicy}`, { failurePolicy, ...many(40, dear) }),
  policyCase(
    `too many dear expressions with warnings, ${failurePolicy}`,
    { failurePolicy, ...many(40, dear) },
    { validationActions: ['Warn'] },
  ),
  policyCase(`a dear variable, ${failurePolicy}`, {
    failurePolicy,
    ...validation('variables.dear && variables.dear'),
    variables: [{ name: 'dear', expression: dear }],
  }),
  policyCase(`a variable too dear, ${failurePolicy}`, {
    failurePolicy,
    ...validation('variables.dear'),
    variables: [{ name: 'dear', expression: tooDear }],
  }),
  policyCase(`a variable too dear that nobody reads, ${failurePolicy}`, {
    failurePolicy,
    ...validation('true || variables.dear'),
    variables: [{ name: 'dear', expression: tooDear }],
  }),
  policyCase(`dear variables, ${failurePolicy}`, {
    failurePolicy,
    ...validation(Array.from({ length: 30 }, (_, index) => `variables.v${index}`).join(' && ')),
    variables: Array.from({ length: 30 }, (_, index) => ({ name: `v${index}`, expression: dear })),
  }),
  policyCase(`dear messages of what passes, ${failurePolicy}`, {
    failurePolicy,
    validations: Array.from({ length: 40 }, () => ({ expression: 'true', messageExpression: `${dear} ? 'a' : 'b'` })),
  }),
  policyCase(`dear messages of what fails, ${failurePolicy}`, {
    failurePolicy,
    validations: Array.from({ length: 40 }, () => ({ expression: 'false', messageExpression: `${dear} ? 'a' : 'b'` })),
  }),
  policyCase(`a message too dear, ${failurePolicy}`, {
    failurePolicy,
    ...validation('false', { message: 'other', messageExpression: `${tooDear} ? 'a' : 'b'` }),
  }),
]);

const failures: readonly PolicyCase[] = [
  'object.other == 1',
  '1 / int(object.data.b) == 1',
  '[1][5] == 1',
  'object.data.a == 1',
  'object.data.a > 5',
  'int(object.data.b) == 1',
  "duration(object.data.b) > duration('1s')",
  'object.data.all(k, object.data[k] > 5)',
  "object.data['missing'] == ''",
  'object.spec.replicas > 1',
  'has(object.spec.replicas)',
  "object.data.b.matches('(')",
  'quantity(object.data.b).isInteger()',
  'ip(object.data.b).family() == 4',
  'object.data.a.size() > 9223372036854775807 + 1',
  'oldObject.data.a == "1"',
  'oldObject != null',
  'false && object.other == 1',
  'object.other == 1 || true',
  'object.other',
  "timestamp(object.data.b) > timestamp('2020-01-01T00:00:00Z')",
  'object.data == oldObject',
  '[1] == 5',
  'dyn(5)',
].map((expression) => policyCase(`fails: ${expression}`, validation(`dyn(${expression}) == true`, {})));

export const conditionCases: readonly PolicyCase[] = [
  ...met,
  ...reasons,
  ...messages,
  ...several,
  ...audited,
  ...costs.map(ofBig),
  ...failures,
];
