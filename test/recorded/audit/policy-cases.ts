import type { JsonObject } from '../../../src/api/json/json.ts';
import { create, policyCase, map, update, validation } from '../../policies/cases/writes.ts';
import type { CaseStep, PolicyCase } from '../../policies/policy-case.ts';

// What validations and `auditAnnotations` of policies leave in audit events.

const annotations = (...valueExpressions: string[]): JsonObject => ({
  auditAnnotations: valueExpressions.map((valueExpression, index) => ({ key: `k${index}`, valueExpression })),
});
const audits = { validationActions: ['Audit'] };
const denied = validation('false', { message: 'no' });

const values: readonly PolicyCase[] = [
  "'text'",
  'null',
  "''",
  "'  '",
  "'  blanks at the edges\\n'",
  "'two\\nlines'",
  '\'<&> "quoted" \\\\ é 😀\'',
  "object.data.a == '2' ? 'a' : ''",
  "request.name + ' ' + request.operation",
  'variables.v',
].map((expression) =>
  policyCase(expression, {
    ...annotations(expression),
    variables: [{ name: 'v', expression: "'of ' + object.data.b" }],
  }),
);

/** Values are cut by bytes; `wide` takes several for each character. */
const longTexts: Readonly<Record<string, string>> = {
  fits: 'x'.repeat(10_240),
  'a byte too long': 'x'.repeat(10_241),
  'far too long': 'xy'.repeat(20_000),
  ...Object.fromEntries(
    ['é', '€', '😀'].flatMap((wide) =>
      [0, 1, 2, 3].map((ahead) => [`${wide} after ${ahead}`, `${'x'.repeat(ahead)}${wide.repeat(6_000)}`]),
    ),
  ),
  'blanks at the edges': `${' '.repeat(10)}${'x'.repeat(10_240)}  `,
};
const long: readonly PolicyCase[] = Object.entries(longTexts).map(([name, text]) => ({
  ...policyCase(`long: ${name}`, annotations('string(object.data.text)')),
  steps: [create('one', { data: { text } })],
}));

const failing = 'string(object.data.missing)';
const several: readonly PolicyCase[] = [
  policyCase('several keys', annotations("'first'", 'null', "'third'")),
  { ...policyCase('several policies', {}), policies: [annotations("'a'"), annotations("'b'")], bindings: [{}, {}] },
  {
    ...policyCase('several bindings', annotations("'a'")),
    bindings: [{}, { policyName: 'policy-CASE-0' }, { policyName: 'policy-CASE-0' }],
  },
  policyCase('with a denial', { ...annotations("'a'"), ...denied }),
  policyCase('with an audited denial', { ...annotations("'a'"), ...denied }, audits),
  ...['Fail', 'Ignore'].flatMap((failurePolicy) => [
    policyCase(`one of two fails, ${failurePolicy}`, { failurePolicy, ...annotations("'a'", failing, "'c'") }),
    policyCase(
      `one fails, with an audited denial, ${failurePolicy}`,
      { failurePolicy, ...annotations(failing), ...denied },
      audits,
    ),
    policyCase(`with a failing validation, ${failurePolicy}`, {
      failurePolicy,
      ...annotations("'a'"),
      ...validation(`${failing} == 'x'`),
    }),
    {
      ...policyCase(`beside a policy that denies, ${failurePolicy}`, {}),
      policies: [{ failurePolicy, ...annotations("'a'") }, denied, annotations("'c'")],
      bindings: [{}, {}, {}],
    },
    {
      ...policyCase(`beside parameters that are missing, ${failurePolicy}`, {}),
      policies: [
        { failurePolicy, paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, ...annotations("'a'") },
        annotations("'b'"),
      ],
      bindings: [{ paramRef: { name: 'p', parameterNotFoundAction: 'Deny' } }, {}],
    },
    policyCase(`a condition that fails, ${failurePolicy}`, {
      failurePolicy,
      ...annotations("'a'"),
      matchConditions: [{ name: 'c', expression: `${failing} == 'x'` }],
    }),
  ]),
  policyCase('a condition that is not met', {
    ...annotations("'a'"),
    matchConditions: [{ name: 'c', expression: 'false' }],
  }),
];

const actions: readonly PolicyCase[] = [
  ['Audit'],
  ['Warn', 'Audit'],
  ['Audit', 'Warn'],
  ['Deny', 'Audit'],
  ['Audit', 'Deny'],
  ['Warn'],
  ['Deny'],
].flatMap((validationActions) =>
  ['Fail', 'Ignore'].flatMap((failurePolicy) =>
    ['false', 'true', `${failing} == 'x'`].map((expression) =>
      policyCase(
        `${expression} with ${validationActions.join(' and ')}, ${failurePolicy}`,
        { failurePolicy, ...validation(expression, { message: 'the message' }) },
        { validationActions },
      ),
    ),
  ),
);

const validations = (count: number, more: (index: number) => JsonObject): JsonObject => ({
  validations: Array.from({ length: count }, (_, index) => ({ expression: 'false', ...more(index) })),
});
const payloads: readonly PolicyCase[] = [
  policyCase('without a message', validation("object.data.a == '<&>'"), audits),
  policyCase('an expression of two lines', validation("object.data.a\n == '2'"), audits),
  policyCase('a message with marks', validation('false', { message: '<&> "quoted" \\ é 😀 \u2028' }), audits),
  policyCase('a message expression', validation('false', { messageExpression: "'a is ' + object.data.a" }), audits),
  policyCase('a failing message expression', validation('false', { message: 'm', messageExpression: failing }), audits),
  policyCase('a reason', validation('false', { message: 'm', reason: 'Forbidden' }), audits),
  policyCase(
    'two of three fail',
    { validations: ['false', 'true', `${failing} == 'x'`].map((expression) => ({ expression })) },
    audits,
  ),
  policyCase(
    'fifty fail',
    validations(50, (index) => ({ message: `m${index}` })),
    audits,
  ),
  policyCase(
    'sixty fail',
    validations(60, (index) => ({ message: `m${index}` })),
    audits,
  ),
  policyCase(
    'sixty fail with long messages',
    validations(60, (index) => ({ message: `${index} ${'x'.repeat(4_000)}` })),
    audits,
  ),
  {
    ...policyCase('two bindings, one audits', denied),
    bindings: [{}, { policyName: 'policy-CASE-0', ...audits }],
  },
  {
    ...policyCase('two bindings audit', denied),
    bindings: [audits, { policyName: 'policy-CASE-0', validationActions: ['Warn', 'Audit'] }],
  },
  {
    ...policyCase('two policies audit', {}),
    policies: [denied, validation('false', { message: 'nor' })],
    bindings: [audits, audits],
  },
  {
    ...policyCase('many policies audit', {}),
    policies: Array.from({ length: 5 }, () => validations(10, (index) => ({ message: `m${index}` }))),
    bindings: Array.from({ length: 5 }, () => audits),
  },
  {
    ...policyCase('a denial before what is audited', {}),
    policies: [denied, validation('false', { message: 'nor' })],
    bindings: [{}, audits],
  },
];

const param = (name: string, text: string) => ({
  path: 'configmaps',
  body: map(name, { metadata: { name, labels: { use: 'x' } }, data: { text } }),
});
const withParams = (
  name: string,
  policy: JsonObject,
  texts: readonly string[],
  binding: JsonObject = {},
): PolicyCase => ({
  ...policyCase(`parameters: ${name}`, { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, ...policy }),
  objects: texts.map((text, index) => param(`p${index}`, text)),
  bindings: [{ paramRef: { selector: { matchLabels: { use: 'x' } }, parameterNotFoundAction: 'Deny' }, ...binding }],
});
const ofParams = "'with ' + params.data.text";
const parameters: readonly PolicyCase[] = [
  withParams('one', annotations(ofParams), ['a']),
  withParams('the same value twice', annotations(ofParams), ['a', 'a']),
  withParams('none', annotations(ofParams), []),
  withParams('none, allowed', annotations(ofParams), [], {
    paramRef: { selector: { matchLabels: { use: 'z' } }, parameterNotFoundAction: 'Allow' },
  }),
  withParams('none, audited', { ...annotations(ofParams), ...denied }, [], audits),
  withParams('audited', validation('false', { messageExpression: "'not ' + params.data.text" }), ['a'], audits),
  withParams('audited twice', denied, ['a', 'a'], audits),
  withParams('one of two fails', annotations("params.data.text == 'b' ? string(object.data.missing) : 'a'"), [
    'a',
    'b',
  ]),
];

const verbs: readonly CaseStep[] = [
  { method: 'POST', path: 'configmaps?dryRun=All', body: map('one') },
  create('one'),
  create('one'),
  update('one', { data: { a: '1' } }),
  {
    method: 'PATCH',
    path: 'configmaps/one',
    body: { data: { b: '2' } },
    contentType: 'application/merge-patch+json',
  },
  { method: 'DELETE', path: 'configmaps/one?dryRun=All' },
  { method: 'DELETE', path: 'configmaps/one' },
  create('two'),
  create('three'),
  { method: 'DELETE', path: 'configmaps?fieldSelector=metadata.name!=kube-root-ca.crt' },
];
const writes: readonly PolicyCase[] = [
  {
    ...policyCase(
      'every write',
      {
        ...annotations("request.operation + ' ' + request.name + (request.dryRun ? ' dry' : '')"),
        ...validation('false', { messageExpression: "request.operation + ' of ' + request.name" }),
      },
      audits,
    ),
    steps: verbs,
  },
  {
    ...policyCase(
      'at the level of metadata',
      {
        ...annotations("'a'"),
        ...denied,
        matchConstraints: {
          resourceRules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }],
        },
      },
      audits,
    ),
    steps: [{ method: 'POST', path: 'secrets', body: { metadata: { name: 'one' } } }],
  },
];

export const annotatingPolicies: readonly PolicyCase[] = [
  ...values,
  ...long,
  ...several,
  ...actions,
  ...payloads,
  ...parameters,
  ...writes,
];

const mutated = (name: string, expression: string, failurePolicy = 'Fail'): PolicyCase =>
  policyCase(name, {
    failurePolicy,
    mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
  });

/** Mutating policies leave nothing. */
export const mutatingPolicies: readonly PolicyCase[] = [
  mutated('a mutation', "Object{data: {'b': '2'}}"),
  mutated('a failing mutation', "Object{data: {'b': object.data.missing}}"),
  mutated('a failing mutation that is ignored', "Object{data: {'b': object.data.missing}}", 'Ignore'),
];
