import type { JsonObject } from '../../../../src/api/json/json.ts';
import type { KindCases } from '../case.ts';
import { values } from './values.ts';

const apiVersion = 'flowcontrol.apiserver.k8s.io/v1';

function object(kind: string, name: string, spec: JsonObject): JsonObject {
  return { apiVersion, kind, metadata: { name }, spec };
}

const limited = { limitResponse: { type: 'Reject' } };
const conditions = [{ type: '' }, { type: 'Dangling' }, { type: 'Dangling' }, {}];
const metadata = {
  'metadata.labels': { a: 'b' },
  'metadata.annotations': { a: 'b' },
  'metadata.finalizers': ['a/b'],
};
const queue = (queuing: JsonObject): JsonObject => ({ limitResponse: { type: 'Queue', queuing } });

const priorityLevelCases: readonly KindCases[] = [
  {
    resource: `${apiVersion}/prioritylevelconfigurations`,
    clusterScoped: true,
    base: object('PriorityLevelConfiguration', 'recorded', { type: 'Limited', limited }),
    createWith: { 'metadata.name': 'other' },
    create: [
      {},
      ...values('metadata.name', 'exempt', 'catch-all'),
      ...values('metadata.annotations', { 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares': '' }),
      ...values('spec', {}, undefined, { type: 'Exempt' }, { type: 'Limited' }, { type: 'limited' }),
      ...values('spec', { type: 'Limited', limited: {}, exempt: {} }, { type: 'Exempt', limited, exempt: {} }),
      ...values('spec.exempt', {}, { nominalConcurrencyShares: -1, lendablePercent: 101 }),
      ...values(
        'spec.limited',
        queue({}),
        { limitResponse: {} },
        { limitResponse: { type: 'Wait' } },
        { limitResponse: { type: 'Queue' } },
        { limitResponse: { type: 'Reject', queuing: {} } },
        { limitResponse: { type: 'Wait', queuing: {} } },
        { limitResponse: { queuing: {} } },
        { ...limited, nominalConcurrencyShares: 0, borrowingLimitPercent: 0 },
        { ...limited, nominalConcurrencyShares: -1, lendablePercent: -1, borrowingLimitPercent: -1 },
        { ...limited, lendablePercent: 101 },
        { nominalConcurrencyShares: 'x' },
        queue({ queues: -1, handSize: -1, queueLengthLimit: -1 }),
        queue({ queues: 0, handSize: 0, queueLengthLimit: 0 }),
        queue({ queues: 10000001 }),
        queue({ queues: 10000000, handSize: 1 }),
        queue({ queues: 3, handSize: 4 }),
        queue({ queues: 64, handSize: 10 }),
        queue({ queues: 64, handSize: 11 }),
        queue({ queues: 33, handSize: 12 }),
      ),
      ...values('status', { conditions }),
    ],
    update: [
      {},
      ...values('spec', { type: 'Limited', limited: queue({}) }, {}, { type: 'Exempt' }, { type: 'x' }),
      ...values('spec.limited', undefined, { limitResponse: { type: 'Queue' } }, { limitResponse: {} }),
      ...values('metadata.finalizers', ['x']),
      ...values('status', { conditions }),
    ],
    status: [
      ...values('status', { conditions }, { conditions: [{ type: 'a' }, { type: 'b', status: 'x' }] }),
      { spec: {} },
      metadata,
    ],
  },
  {
    resource: `${apiVersion}/prioritylevelconfigurations`,
    clusterScoped: true,
    base: object('PriorityLevelConfiguration', 'exempt', { type: 'Exempt' }),
    update: [
      ...values('spec.exempt', undefined, {}, { nominalConcurrencyShares: 5, lendablePercent: 50 }),
      ...values('spec.exempt', { nominalConcurrencyShares: -5, lendablePercent: -1 }),
      ...values('spec', {}, { type: 'Limited', limited }, { type: 'Exempt', limited }, { type: 'x' }),
    ],
  },
  {
    resource: `${apiVersion}/prioritylevelconfigurations`,
    clusterScoped: true,
    base: object('PriorityLevelConfiguration', 'catch-all', { type: 'Limited', limited }),
    update: [
      ...values('spec.limited.nominalConcurrencyShares', 5, 6, undefined, -1),
      ...values('spec.limited.limitResponse', { type: 'Queue', queuing: {} }, undefined),
      ...values('spec', { type: 'Exempt' }, { type: 'Limited', limited, exempt: {} }),
    ],
  },
];

const user = { kind: 'User', user: { name: 'a' } };
const anyResource = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] };
const rule = { subjects: [user], resourceRules: [anyResource] };

const subjects = (...list: JsonObject[]): JsonObject[] => [{ ...rule, subjects: list }];
const resourceRule = (fields: JsonObject): JsonObject[] => [
  { ...rule, resourceRules: [{ ...anyResource, ...fields }] },
];
const otherRule = (fields: JsonObject): JsonObject[] => [
  { subjects: [user], nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'], ...fields }] },
];

const ruleValues = [
  [],
  [{}],
  [{ subjects: [user] }],
  subjects({}),
  subjects({ kind: 'x', user: { name: 'a' } }),
  subjects({ kind: 'User' }, { kind: 'Group' }, { kind: 'ServiceAccount' }),
  subjects({ kind: 'User', user: {} }, { kind: 'Group', group: {} }, { kind: 'ServiceAccount', serviceAccount: {} }),
  subjects({ kind: 'User', user: { name: 'a' }, group: { name: 'b' }, serviceAccount: { name: 'c', namespace: 'd' } }),
  subjects({ kind: 'Group', user: { name: 'a' }, group: { name: 'b' }, serviceAccount: { name: 'c', namespace: 'd' } }),
  subjects({ kind: 'ServiceAccount', user: {}, group: {}, serviceAccount: { name: '*', namespace: '*' } }),
  subjects({ kind: 'ServiceAccount', serviceAccount: { name: 'A', namespace: 'a.b' } }),
  subjects({ kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: 'a' } }),
  resourceRule({ verbs: [], apiGroups: [], resources: [], namespaces: [] }),
  resourceRule({ verbs: ['*', 'get'], apiGroups: ['*', ''], resources: ['*', 'a'], namespaces: ['*', 'a'] }),
  resourceRule({ verbs: ['get', 'x'], namespaces: ['a.b', 'A', 'ok'] }),
  resourceRule({ verbs: ['get', 'list'], namespaces: [], clusterScope: true }),
  resourceRule({ namespaces: ['-'], clusterScope: true }),
  otherRule({}),
  otherRule({ verbs: [], nonResourceURLs: [] }),
  otherRule({ verbs: ['*', 'get'], nonResourceURLs: ['*', '/a'] }),
  otherRule({
    verbs: ['GET'],
    nonResourceURLs: ['', 'a', '/a b', '/a//b', '/a*', '/*/b/*', '/', '/a/*', '/ok', '/*a'],
  }),
];

const flowSchemaCases: readonly KindCases[] = [
  {
    resource: `${apiVersion}/flowschemas`,
    clusterScoped: true,
    base: object('FlowSchema', 'recorded', { priorityLevelConfiguration: { name: 'exempt' }, rules: [rule] }),
    createWith: { 'metadata.name': 'other' },
    create: [
      {},
      ...values('metadata.name', 'exempt', 'catch-all'),
      ...values('spec', {}, undefined),
      ...values('spec.matchingPrecedence', undefined, 0, -1, 1, 2, 10000, 10001),
      ...values('spec.distinguisherMethod', {}, { type: 'x' }, { type: 'ByUser' }, { type: 'ByNamespace' }),
      ...values('spec.priorityLevelConfiguration', {}, { name: 'A' }, { name: 'missing' }, undefined),
      ...ruleValues.map((rules) => ({ 'spec.rules': rules })),
      ...values('status', { conditions }),
    ],
    update: [
      {},
      ...values('spec', {}),
      ...values('spec.matchingPrecedence', 1, 20000, 5),
      ...values('spec.rules', [{}], [rule, rule]),
      ...values('status', { conditions }),
      ...values('metadata.finalizers', ['x']),
    ],
    status: [
      ...values('status', { conditions }, { conditions: [{ type: 'a' }, { type: 'b' }] }),
      { spec: {} },
      metadata,
    ],
  },
  {
    resource: `${apiVersion}/flowschemas`,
    clusterScoped: true,
    base: object('FlowSchema', 'exempt', {}),
    update: [{}, ...values('spec.matchingPrecedence', 2), ...values('spec.rules', [rule], undefined)],
  },
  {
    resource: `${apiVersion}/flowschemas`,
    clusterScoped: true,
    base: object('FlowSchema', 'catch-all', {}),
    update: [
      {},
      ...values('spec.matchingPrecedence', 2),
      ...values('spec.distinguisherMethod', undefined, { type: 'ByNamespace' }),
    ],
  },
];

/** The reference's controller may write statuses at any time. */
function unconditional({ update = [], status = [], ...kind }: KindCases): KindCases {
  const anyVersion = { 'metadata.resourceVersion': undefined };
  return {
    ...kind,
    update: update.map((mutation) => ({ ...anyVersion, ...mutation })),
    status: status.map((mutation) => ({ ...anyVersion, ...mutation })),
  };
}

export const flowControlCases: readonly KindCases[] = [...priorityLevelCases, ...flowSchemaCases.map(unconditional)];
