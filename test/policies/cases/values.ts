import type { JsonObject } from '../../../src/api/json/json.ts';
import type { CaseObject } from '../../case-objects.ts';
import type { CaseStep, PolicyCase } from '../policy-case.ts';
import { create, map, update } from './writes.ts';

// What expressions see: each is a message of a policy that denies everything.

/** One policy per text, which reports the value of an expression. */
function shown(
  name: string,
  texts: readonly string[],
  { steps, policy = {}, binding = {}, objects = [] }: Shown,
): readonly PolicyCase[] {
  return texts.map((text) => ({
    name: `${name}: ${text}`,
    objects,
    policies: [{ ...policy, validations: [{ expression: 'false', messageExpression: `'<' + string(${text}) + '>'` }] }],
    bindings: [binding],
    steps,
  }));
}

interface Shown {
  readonly steps: readonly CaseStep[];
  readonly policy?: JsonObject;
  readonly binding?: JsonObject;
  readonly objects?: readonly CaseObject[];
}

const creation = create('one', {
  metadata: { name: 'one', labels: { l: 'x' }, annotations: { 'a/b': 'y' } },
  data: { a: '1', 'b.c': 'text', empty: '' },
  binaryData: { bin: 'AAEC' },
  immutable: false,
});

const ofRequest = [
  'request.kind.kind',
  'request.kind.group',
  'request.kind.version',
  'request.resource.resource',
  'request.requestKind.kind',
  'request.requestResource.resource',
  'request.name',
  'request.namespace',
  'request.operation',
  'request.userInfo.username',
  'request.dryRun',
  'has(request.subResource)',
  'has(request.userInfo.uid)',
  'has(request.userInfo.extra)',
  "request.userInfo.groups.join(',')",
  "request.userInfo.groups.exists(g, g == 'system:masters')",
  'has(request.options)',
  'request.options.kind',
  'request.options.apiVersion',
  'request.subResource',
  'has(request.requestSubResource)',
  'has(request.name)',
  'type(request) == type(request)',
  'has(request.options.dryRun)',
  'request.options.fieldManager',
];

const ofObject = [
  'object.kind',
  'object.apiVersion',
  'object.metadata.name',
  'object.metadata.namespace',
  'object.data.a',
  "object.data['b.c']",
  'object.data.empty',
  'object.data.size()',
  'object.binaryData.bin',
  'object.immutable',
  'object.metadata.labels.l',
  "object.metadata.annotations['a/b']",
  'has(object.metadata.uid)',
  'has(object.metadata.creationTimestamp)',
  'has(object.metadata.generation)',
  'object.metadata.size()',
  'has(object.metadata.managedFields)',
  'has(object.metadata.resourceVersion)',
  'oldObject == null',
  "object.data.map(k, k).exists(k, k == 'a')",
  'type(object.data) == map',
  'object == object',
  'object.size()',
  "has(object.data.missing) ? 'yes' : 'no'",
  'object.?data.?missing.hasValue()',
  'object.nothing',
  'oldObject.data',
  "object.data.exists(k, k.startsWith('b'))",
  "'a' in object.data",
  'object.data == {"a": "1"}',
  'object.data.a + 1',
  'int(object.data.a) + 1',
  'double(object.data.a) / 2.0',
  "quantity('1Gi').isGreaterThan(quantity('1Mi'))",
  "object.metadata.name.matches('^o.e$')",
  "ip('10.0.0.1').family()",
  "url('https://a.b:80/c').getHost()",
  "object.metadata.creationTimestamp.startsWith('20')",
  'timestamp(object.metadata.creationTimestamp).getFullYear() > 2000',
  "cidr('10.0.0.0/8').containsIP('10.1.2.3')",
  "semver('1.2.3').major()",
  "format.dns1123Label().validate('A_').hasValue()",
  "sets.contains(['a'], object.data.map(k, k))",
  'object.data.map(k, k).size()',
  "'%s'.format([object.data.a])",
  '[1, 2, 3].sum()',
  "['a', 'b'].join('-')",
  'optional.of(1).value()',
  'object.data[?"a"].orValue("z")',
  'namespaceObject.metadata.name',
  'namespaceObject.metadata.labels.size()',
  'namespaceObject.status.phase',
  "namespaceObject.spec.finalizers.join(',')",
  'has(namespaceObject.metadata.annotations)',
  'has(namespaceObject.metadata.UID)',
  'namespaceObject.metadata.resourceVersion == ""',
  'has(namespaceObject.metadata.generateName)',
  'has(namespaceObject.metadata.creationTimestamp)',
  "namespaceObject.metadata.labels['kubernetes.io/metadata.name']",
  'has(namespaceObject.status.conditions)',
];

const ofOldObject = [
  'oldObject.data.a',
  'object.data.a',
  'oldObject.metadata.uid == object.metadata.uid',
  'request.operation',
  'request.options.kind',
  'oldObject.metadata.resourceVersion == object.metadata.resourceVersion',
  'request.name',
  'oldObject == object',
  'has(oldObject.metadata.managedFields)',
  'has(object.metadata.managedFields)',
];

const ofDeletion = [
  'object == null',
  'oldObject.data.a',
  'request.operation',
  'request.options.kind',
  'request.name',
  'has(request.options.propagationPolicy)',
  'request.options.propagationPolicy',
  'object.data',
  'has(object.data)',
  'object != null ? "there" : "gone"',
  'namespaceObject.metadata.name',
  'request.kind.kind',
];

const onUpdate = { matchConditions: [{ name: 'update', expression: "request.operation == 'UPDATE'" }] };
const onDelete = { matchConditions: [{ name: 'delete', expression: "request.operation == 'DELETE'" }] };
const before = { path: 'configmaps', body: map('one', { data: { a: 'before' } }) };
const propagated = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };

const paramsMap = { path: 'configmaps', body: map('p', { data: { limit: '5', text: 'param' } }) };
const secret = {
  path: 'secrets',
  body: { metadata: { name: 'p' }, data: { key: 'dmFsdWU=' }, stringData: { more: 'x' } },
};
const ofParams = [
  'params.data.limit',
  'params.kind',
  'params.apiVersion',
  'params.metadata.name',
  'int(params.data.limit) > 4',
  'has(params.data.missing)',
  'params.data.missing',
  'params == null',
  "'limit' in params.data",
  'has(params.metadata.uid)',
];
const paramsBinding = { paramRef: { name: 'p', namespace: 'NS', parameterNotFoundAction: 'Deny' } };

const variables: JsonObject[] = [
  { name: 'a', expression: 'object.data.a' },
  { name: 'n', expression: 'int(variables.a)' },
  { name: 'keys', expression: 'object.data.map(k, k)' },
  { name: 'bad', expression: 'object.nothing' },
  { name: 'worse', expression: 'variables.bad' },
  { name: 'flag', expression: 'variables.n > 0' },
  { name: 'm', expression: "{'x': 1}" },
  { name: 'q', expression: "quantity('1Gi')" },
  { name: 'opt', expression: 'optional.of(variables.n)' },
  { name: 'ns', expression: 'namespaceObject.metadata' },
  { name: 'who', expression: 'request.userInfo' },
  { name: 'under_score', expression: "'u'" },
  { name: 'two__under', expression: "'uu'" },
  { name: 'allowed', expression: "authorizer.group('').resource('pods').check('get').allowed()" },
];
const ofVariables = [
  'variables.a',
  'variables.n + 1',
  'variables.keys.size()',
  'variables.bad',
  'variables.worse',
  'variables.flag',
  'variables.m.x',
  'variables.q.isGreaterThan(quantity("1Mi"))',
  'variables.ns.name',
  'variables.who.username',
  'variables.under_score',
  'variables.two__under',
  'variables.allowed',
  'has(variables.a)',
  'has(variables.bad)',
  'variables == variables',
  'variables.flag ? "yes" : variables.bad',
  'variables.flag || variables.bad',
  'variables.bad || variables.flag',
  'type(variables.m) == map',
];

export const valueCases: readonly PolicyCase[] = [
  ...shown('request', ofRequest, { steps: [creation] }),
  ...shown('object', ofObject, { steps: [creation] }),
  ...shown('old object', ofOldObject, {
    policy: onUpdate,
    objects: [before],
    steps: [update('one', { data: { a: 'after' } })],
  }),
  ...shown('deletion', ofDeletion, {
    policy: onDelete,
    objects: [before],
    steps: [{ method: 'DELETE', path: 'configmaps/one', body: propagated }],
  }),
  ...shown('params', ofParams, {
    policy: { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } },
    binding: paramsBinding,
    objects: [paramsMap],
    steps: [creation],
  }),
  ...shown('secret', ['params.data.key', 'params.data.more', 'params.type', 'params.kind', 'has(params.stringData)'], {
    policy: { paramKind: { apiVersion: 'v1', kind: 'Secret' } },
    binding: paramsBinding,
    objects: [secret],
    steps: [creation],
  }),
  ...shown('variables', ofVariables, { policy: { variables }, steps: [creation] }),
];
