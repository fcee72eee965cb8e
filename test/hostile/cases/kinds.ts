import { type HostileCase, requestCase } from '../hostile-case.ts';
import { type KindRow, object } from '../kind-row.ts';
import { around, items, namespaced } from '../text-bodies.ts';
import { otherKinds } from './other-kinds.ts';

const admission = '/apis/admissionregistration.k8s.io/v1';
const refused = [201, 400, 413, 422];

const webhooks = (parts: object | string): object =>
  object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', {
    webhooks:
      typeof parts === 'string'
        ? parts
        : [
            {
              name: 'a.b.c',
              sideEffects: 'None',
              admissionReviewVersions: ['v1'],
              clientConfig: { url: 'https://a' },
              ...parts,
            },
          ],
  });
const policy = (spec: object): object =>
  object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', { spec });
const networkPolicies = namespaced('networkpolicies', 'apis/networking.k8s.io/v1');
const networkPolicy = (spec: object): object =>
  object('networking.k8s.io/v1', 'NetworkPolicy', { spec: { podSelector: {}, ...spec } });

/** Lists and maps of many kinds, filled up to the maximum body size. */

const rows: readonly KindRow[] = [
  {
    name: 'scopes of a quota',
    path: namespaced('resourcequotas'),
    document: object('v1', 'ResourceQuota', { spec: { scopes: 'HOLE' } }),
    item: '"a"',
  },
  {
    name: '40,000 scopes of a quota',
    path: namespaced('resourcequotas'),
    document: object('v1', 'ResourceQuota', { spec: { scopes: 'HOLE' } }),
    item: '"NotBestEffort"',
    bytes: 640_000,
  },
  {
    name: 'resources of a quota',
    path: namespaced('resourcequotas'),
    document: object('v1', 'ResourceQuota', { spec: { hard: 'HOLE' } }),
    item: (n) => `"a${n}":"1"`,
    map: true,
  },
  {
    name: 'limits',
    path: namespaced('limitranges'),
    document: object('v1', 'LimitRange', { spec: { limits: 'HOLE' } }),
    item: '{}',
  },
  {
    name: 'match conditions',
    path: `${admission}/validatingwebhookconfigurations`,
    document: webhooks({ matchConditions: 'HOLE' }),
    item: (n) => `{"name":"a${n}","expression":"true"}`,
  },
  {
    name: 'equal match conditions',
    path: `${admission}/validatingwebhookconfigurations`,
    document: webhooks({ matchConditions: 'HOLE' }),
    item: '{"name":"a","expression":"true"}',
  },
  { name: 'webhooks', path: `${admission}/validatingwebhookconfigurations`, document: webhooks('HOLE'), item: '{}' },
  {
    name: 'rules of webhooks',
    path: `${admission}/validatingwebhookconfigurations`,
    document: webhooks({ rules: 'HOLE' }),
    item: '{}',
  },
  {
    name: 'versions of webhooks',
    path: `${admission}/validatingwebhookconfigurations`,
    document: webhooks({ admissionReviewVersions: 'HOLE' }),
    item: '"a"',
  },
  {
    name: 'resources of rules',
    path: `${admission}/validatingwebhookconfigurations`,
    document: webhooks({ rules: [{ apiGroups: [''], apiVersions: [''], operations: ['*'], resources: 'HOLE' }] }),
    item: (n) => `"a${n}/*"`,
  },
  {
    name: 'audit annotations',
    path: `${admission}/validatingadmissionpolicies`,
    document: policy({ auditAnnotations: 'HOLE' }),
    item: (n) => `{"key":"a${n}","valueExpression":"'a'"}`,
  },
  {
    name: 'validations',
    path: `${admission}/validatingadmissionpolicies`,
    document: policy({ validations: 'HOLE' }),
    item: '{"expression":"true"}',
  },
  {
    name: 'variables of a policy',
    path: `${admission}/validatingadmissionpolicies`,
    document: policy({ variables: 'HOLE' }),
    item: (n) => `{"name":"a${n}","expression":"1"}`,
  },
  {
    name: 'conditions of a policy',
    path: `${admission}/validatingadmissionpolicies`,
    document: policy({ matchConditions: 'HOLE' }),
    item: (n) => `{"name":"a${n}","expression":"1"}`,
  },
  {
    name: 'rules of a network policy',
    path: networkPolicies,
    document: networkPolicy({ ingress: 'HOLE' }),
    item: '{}',
    bytes: 300_000,
  },
  {
    name: 'wrong rules of a network policy',
    path: networkPolicies,
    document: networkPolicy({ ingress: 'HOLE' }),
    item: '{"from":[{}]}',
  },
  {
    name: 'types of a network policy',
    path: networkPolicies,
    document: networkPolicy({ policyTypes: 'HOLE' }),
    item: '"a"',
  },
  {
    name: 'expressions of a selector',
    path: networkPolicies,
    document: networkPolicy({ podSelector: { matchExpressions: 'HOLE' } }),
    item: '{"key":"a","operator":"Exists"}',
  },
  {
    name: 'values of a selector',
    path: networkPolicies,
    document: networkPolicy({ podSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: 'HOLE' }] } }),
    item: (n) => `"a${n}"`,
  },
  {
    name: 'ports of a service',
    path: namespaced('services'),
    document: object('v1', 'Service', { spec: { ports: 'HOLE' } }),
    item: (n) => `{"name":"a${n}","port":1}`,
  },
  {
    name: 'cluster addresses',
    path: namespaced('services'),
    document: object('v1', 'Service', { spec: { ports: [{ port: 1 }], clusterIPs: 'HOLE' } }),
    item: '"10.0.0.1"',
  },
  {
    name: 'external addresses',
    path: namespaced('services'),
    document: object('v1', 'Service', { spec: { ports: [{ port: 1 }], externalIPs: 'HOLE' } }),
    item: '"::1"',
  },
  ...otherKinds,
];

export const kindCases: readonly HostileCase[] = rows.map(
  ({ name, path, document, item, map = false, bytes = 2_900_000 }) =>
    requestCase({
      name: `many: ${name}`,
      path: `${path}?dryRun=All&fieldValidation=Ignore`,
      body: () => around(document, map ? `{${items(item, bytes)}}` : `[${items(item, bytes)}]`),
      codes: [...refused, 200, 404, 500],
    }),
);
