import { randomQuestion } from '../../fuzz-cel/random-question.ts';
import { configMap, places } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { forEach, inNamespace, patch, post, remove } from '../steps.ts';

const space = 'cel-policies';
const admission = '/apis/admissionregistration.k8s.io/v1';
const policies = `${admission}/validatingadmissionpolicies`;
const bindings = `${admission}/validatingadmissionpolicybindings`;
const hooks = `${admission}/validatingwebhookconfigurations`;
const configMaps = places.configMaps(space);

const constraints = {
  resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
};

function policy(name: string, spec: object): object {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      matchConstraints: { ...constraints, objectSelector: { matchLabels: { only: name } } },
      failurePolicy: 'Fail',
      ...spec,
    },
  };
}

function binding(name: string, spec: object = {}): object {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'], ...spec },
  };
}

const valid = [{ expression: 'true' }];
const ofMaps = { apiVersion: 'v1', kind: 'ConfigMap' };

/** Policies that are wrong, or nearly. */
const specs: { readonly [name: string]: object } = {
  nothing: {},
  'empty validations': { validations: [] },
  'an empty expression': { validations: [{ expression: '' }] },
  'a blank expression': { validations: [{ expression: ' ' }] },
  'no expression': { validations: [{ message: 'm' }] },
  'a number': { validations: [{ expression: '1' }] },
  'an unknown variable': { validations: [{ expression: 'nope' }] },
  'a field of the request': { validations: [{ expression: 'request.object == null' }] },
  'an unknown field of the request': { validations: [{ expression: 'request.nope == null' }] },
  'all fields of the request': {
    validations: [{ expression: 'request.kind.group + request.resource.resource + request.subResource == ""' }],
  },
  'parameters that are not there': { validations: [{ expression: 'params.a' }] },
  parameters: { paramKind: ofMaps, validations: [{ expression: 'params.data.a == ""' }] },
  'a parameter kind without a kind': { paramKind: { apiVersion: 'v1' }, validations: valid },
  'a parameter kind without a version': { paramKind: { kind: 'ConfigMap' }, validations: valid },
  'a bad parameter kind': { paramKind: { apiVersion: 'a/b/c', kind: 'x' }, validations: valid },
  'a multi-line expression': { validations: [{ expression: 'true\n&& true' }] },
  'a multi-line message': { validations: [{ expression: 'true', message: 'a\nb' }] },
  'a blank message': { validations: [{ expression: 'true', message: ' ' }] },
  'an empty message': { validations: [{ expression: 'true', message: '' }] },
  'a reason': { validations: [{ expression: 'true', reason: 'Unauthorized' }] },
  'an unknown reason': { validations: [{ expression: 'true', reason: 'Nope' }] },
  'a message expression': { validations: [{ expression: 'true', messageExpression: '"a"' }] },
  'a number as a message': { validations: [{ expression: 'true', messageExpression: '1' }] },
  'an unknown variable in a message': { validations: [{ expression: 'true', messageExpression: 'nope' }] },
  'a blank message expression': { validations: [{ expression: 'true', messageExpression: ' ' }] },
  'the authorizer in a message': {
    validations: [{ expression: 'true', messageExpression: 'string(authorizer.path("/").check("get").allowed())' }],
  },
  'the authorizer': { validations: [{ expression: 'authorizer.path("/").check("get").allowed()' }] },
  'the resource of the request': {
    validations: [{ expression: 'authorizer.requestResource.check("get").allowed()' }],
  },
  'a variable': { variables: [{ name: 'a', expression: '1' }], validations: [{ expression: 'variables.a == 1' }] },
  'a variable of a wrong type': {
    variables: [{ name: 'a', expression: '1' }],
    validations: [{ expression: 'variables.a == "a"' }],
  },
  'an unknown variable of the policy': { validations: [{ expression: 'variables.a == 1' }] },
  'variables in a wrong order': {
    variables: [
      { name: 'a', expression: 'variables.b' },
      { name: 'b', expression: '1' },
    ],
    validations: valid,
  },
  'a variable of itself': { variables: [{ name: 'a', expression: 'variables.a' }], validations: valid },
  'two variables of a name': {
    variables: [
      { name: 'a', expression: '1' },
      { name: 'a', expression: '2' },
    ],
    validations: valid,
  },
  'names of variables': {
    variables: ['', 'a-b', '1a', 'in', 'a b', 'A_b', '_', 'self', 'object', 'x'.repeat(70)].map((name) => ({
      name,
      expression: '1',
    })),
    validations: valid,
  },
  'a variable without an expression': { variables: [{ name: 'a' }], validations: valid },
  'a broken variable': { variables: [{ name: 'a', expression: '1 +' }], validations: [{ expression: 'variables.a' }] },
  'a condition': { matchConditions: [{ name: 'a', expression: 'true' }], validations: valid },
  'a number as a condition': { matchConditions: [{ name: 'a', expression: '1' }], validations: valid },
  'a broken condition': { matchConditions: [{ name: 'a', expression: '(' }], validations: valid },
  'names of conditions': {
    matchConditions: ['', 'a b', 'a/b', 'a/b/c', '-a', 'A.b', 'x'.repeat(64), 'a'].map((name) => ({
      name,
      expression: 'true',
    })),
    validations: valid,
  },
  'two conditions of a name': {
    matchConditions: [
      { name: 'a', expression: 'true' },
      { name: 'a', expression: 'false' },
    ],
    validations: valid,
  },
  'many conditions': {
    matchConditions: Array.from({ length: 65 }, (_, at) => ({ name: `c${String(at)}`, expression: 'true' })),
    validations: valid,
  },
  'a variable in a condition': {
    variables: [{ name: 'a', expression: 'true' }],
    matchConditions: [{ name: 'a', expression: 'variables.a' }],
    validations: valid,
  },
  'parameters in a condition': {
    paramKind: ofMaps,
    matchConditions: [{ name: 'a', expression: 'params.data.a == ""' }],
    validations: valid,
  },
  'an audit annotation': { auditAnnotations: [{ key: 'a', valueExpression: '"b"' }] },
  'a number as an annotation': { auditAnnotations: [{ key: 'a', valueExpression: '1' }] },
  'null as an annotation': { auditAnnotations: [{ key: 'a', valueExpression: 'null' }] },
  'an optional annotation': { auditAnnotations: [{ key: 'a', valueExpression: 'true ? "a" : null' }] },
  'an empty annotation': { auditAnnotations: [{ key: 'a', valueExpression: '' }] },
  'keys of annotations': {
    auditAnnotations: ['', 'a b', 'a/b', 'A.b', 'x'.repeat(64), 'a', 'a'].map((key) => ({
      key,
      valueExpression: '"b"',
    })),
  },
  'many annotations': {
    auditAnnotations: Array.from({ length: 21 }, (_, at) => ({ key: `k${String(at)}`, valueExpression: '"b"' })),
  },
  'an unknown failure policy': { failurePolicy: 'Nope', validations: valid },
  'wrong everywhere': {
    failurePolicy: 'Nope',
    paramKind: { apiVersion: 'a/b/c' },
    variables: [{ name: '1', expression: '(' }],
    matchConditions: [{ name: '', expression: 'x' }],
    validations: [{ expression: '1', messageExpression: '2', message: '', reason: 'x' }],
    auditAnnotations: [{ key: '', valueExpression: '1' }],
  },
};

const live: { readonly [name: string]: object } = {
  'a message': { validations: [{ expression: 'false', message: 'm' }] },
  'no message': { validations: [{ expression: 'object.metadata.name == "x" ' }] },
  'no message of two lines': { validations: [{ expression: 'object.metadata.name\n == "x"', message: 'of two' }] },
  'a message expression': {
    validations: [{ expression: 'false', messageExpression: '"name: " + object.metadata.name' }],
  },
  'a message that fails': { validations: [{ expression: 'false', message: 'm', messageExpression: 'object.nope' }] },
  'a message that fails alone': { validations: [{ expression: 'false', messageExpression: 'object.nope' }] },
  'an empty message': { validations: [{ expression: 'false', message: 'm', messageExpression: '""' }] },
  'a blank message': { validations: [{ expression: 'false', message: 'm', messageExpression: '"  "' }] },
  'a message of two lines': { validations: [{ expression: 'false', message: 'm', messageExpression: '"a\\nb"' }] },
  'a message with blanks': { validations: [{ expression: 'false', messageExpression: '" a "' }] },
  'a long message': {
    validations: [{ expression: 'false', message: 'm', messageExpression: `"${'a'.repeat(5121)}"` }],
  },
  'an error': { validations: [{ expression: 'object.nope == 1' }] },
  'an error that is ignored': { failurePolicy: 'Ignore', validations: [{ expression: 'object.nope == 1' }] },
  'an error and a refusal': { validations: [{ expression: 'object.nope == 1' }, { expression: 'false' }] },
  'two refusals': {
    validations: [
      { expression: 'false', message: 'one', reason: 'Unauthorized' },
      { expression: 'false', message: 'two', reason: 'Forbidden' },
    ],
  },
  ...Object.fromEntries(
    ['Unauthorized', 'Forbidden', 'Invalid', 'RequestEntityTooLarge'].map((reason) => [
      `reason ${reason}`,
      { validations: [{ expression: 'false', message: 'm', reason }] },
    ]),
  ),
  'a variable': {
    variables: [{ name: 'a', expression: 'object.data' }],
    validations: [{ expression: '!has(variables.a)', messageExpression: 'variables.a.a' }],
  },
  'a variable that fails': {
    variables: [{ name: 'a', expression: 'object.nope' }],
    validations: [{ expression: 'variables.a == 1' }],
  },
  'a variable that is not used': {
    variables: [{ name: 'a', expression: 'object.nope' }],
    validations: [{ expression: 'false', message: 'm' }],
  },
  'a variable of another': {
    variables: [
      { name: 'a', expression: '1 / (object.data.size() - 1)' },
      { name: 'b', expression: 'variables.a + 1' },
    ],
    validations: [{ expression: 'variables.b == 1' }],
  },
  'a condition that fails': {
    matchConditions: [{ name: 'c', expression: 'object.nope' }],
    validations: [{ expression: 'false' }],
  },
  'a condition that fails and is ignored': {
    failurePolicy: 'Ignore',
    matchConditions: [{ name: 'c', expression: 'object.nope' }],
    validations: [{ expression: 'false' }],
  },
  'a condition that is false and one that fails': {
    matchConditions: [
      { name: 'c', expression: 'object.nope' },
      { name: 'd', expression: 'false' },
    ],
    validations: [{ expression: 'false' }],
  },
  'a dear expression': {
    validations: [
      {
        expression:
          '[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, [1,2,3,4,5,6,7,8,9,10].all(f, a + b + c + d + e + f > 0))))))',
      },
    ],
  },
  'a dear variable': {
    variables: [
      {
        name: 'v',
        expression:
          '[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, [1,2,3,4,5,6,7,8,9,10].all(f, a + b + c + d + e + f > 0))))))',
      },
    ],
    validations: [{ expression: 'variables.v' }],
  },
  'a dear condition': {
    matchConditions: [
      {
        name: 'c',
        expression:
          '[1,2,3,4,5,6,7,8,9].all(a, [1,2,3,4,5,6,7,8,9].all(b, [1,2,3,4,5,6,7,8,9].all(c, [1,2,3,4,5,6,7,8,9].all(d, [1,2,3,4,5,6,7,8,9].all(e, [1,2,3,4,5,6,7,8,9].all(f, [1,2,3,4,5,6,7,8,9].all(g, true)))))))',
      },
    ],
    validations: valid,
  },
  'an annotation that fails': {
    auditAnnotations: [{ key: 'a', valueExpression: 'object.nope' }],
  },
  'an annotation that is null': {
    auditAnnotations: [{ key: 'a', valueExpression: 'object.metadata.name == "" ? "a" : null' }],
    validations: [{ expression: 'false', message: 'm' }],
  },
  'the user': { validations: [{ expression: 'false', messageExpression: '"%s".format([request.userInfo.groups])' }] },
  'the operation': {
    validations: [
      {
        expression: 'false',
        messageExpression: 'request.operation + " " + string(request.dryRun) + " " + request.name',
      },
    ],
  },
  'the namespace': { validations: [{ expression: 'false', messageExpression: 'namespaceObject.metadata.name' }] },
  'the old object': { validations: [{ expression: 'oldObject != null', messageExpression: '"a: " + object.data.a' }] },
  'the old object that is not there': { validations: [{ expression: 'oldObject.metadata.name == ""' }] },
  'the request as a whole': {
    validations: [{ expression: 'dyn(request).object == null && has(dyn(request).uid)', message: 'no object' }],
  },
  'a field that is empty': { validations: [{ expression: 'has(object.metadata.annotations)', message: 'none' }] },
};

const called = (name: string): string => `${space}-${name.replaceAll(' ', '-').toLowerCase()}`;
const labelled = (name: string, only: string): object => configMap(name, { a: '1' }, { labels: { only } });

function liveSteps(_: object, name: string): readonly Step[] {
  const only = called(name);
  const seen = Object.keys(live).indexOf(name);
  return [
    post(`${name}: create`, `${configMaps}?dryRun=All`, labelled(`live-${String(seen)}`, only)),
    patch(`${name}: update`, 'merge', `${configMaps}/existing?dryRun=All`, { metadata: { labels: { only } } }),
  ];
}

/** Expressions about nothing, whose errors and values are told. */
const random = Array.from({ length: 1200 }, (_, at) => randomQuestion(at + 340_000))
  .filter(({ setting, version }) => setting === 'plain' && version === undefined)
  .map(({ expression }) => expression)
  .filter((expression) => !expression.includes('\n'));

function randomSteps(expression: string, index: number): readonly Step[] {
  const name = `${space}-random-${String(index)}`;
  const withMessage = {
    expression: `dyn(${expression}) == dyn(optional.none())`,
    messageExpression: `"%s".format([${expression}])`,
  };
  return [
    post(`random ${String(index)}: policy`, policies, policy(name, { validations: [withMessage] })),
    post(`random ${String(index)}: binding`, bindings, binding(name)),
  ];
}

function hook(matchConditions: readonly object[]): object {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'hook' },
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { url: 'https://127.0.0.1:1/' },
        rules: constraints.resourceRules,
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        matchConditions,
      },
    ],
  };
}

const conditions = [
  'true',
  '1',
  '',
  ' ',
  '(',
  'object.metadata.name == "x"',
  'object.nope == 1',
  'nope',
  'oldObject == null',
  'params.a == 1',
  'variables.a == 1',
  'namespaceObject == null',
  'request.operation == "CREATE"',
  'request.object == null',
  'request.nope',
  'authorizer.group("").resource("pods").check("get").allowed()',
  'authorizer.requestResource.check("x").allowed()',
  'authorizer.serviceAccount("a", "b").path("/x").check("y").allowed()',
  'authorizer.check("x")',
  'self == 1',
  'dyn(1)',
  '"a".matches("[")',
  'Object{} == object',
  '[1].all(x, y)',
  'object.spec.x.exists(y, y == 1)',
  'optional.none() == object.?a',
  'request.userInfo.username == "a"',
  'request.userInfo.nope == ""',
  'request.options.a == 1',
  'request.dryRun',
  'null',
  '"a"',
];

/** Expressions of policies and webhooks: what is said of wrong ones, and of what they say of objects. */
export const celPolicies = script(
  'cel-policies',
  inNamespace(space),
  forEach(specs, (spec, name) => post(`policy: ${name}`, `${policies}?dryRun=All`, policy('p', spec))),
  conditions.map((expression) =>
    post(`condition: ${expression}`, `${hooks}?dryRun=All`, hook([{ name: 'c', expression }])),
  ),
  post('the existing', configMaps, configMap('existing')),
  forEach(live, (spec, name) => [
    post(`${name}: policy`, policies, policy(called(name), spec)),
    post(`${name}: binding`, bindings, binding(called(name))),
  ]),
  random.flatMap(randomSteps),
  post('the last', configMaps, configMap('last'), { settles: 'slowly' }),
  forEach(live, liveSteps),
  random.map((_, index) =>
    post(
      `random ${String(index)}: create`,
      `${configMaps}?dryRun=All`,
      labelled(`random-${String(index)}`, `${space}-random-${String(index)}`),
    ),
  ),
  remove('delete the last', `${configMaps}/last`),
);
