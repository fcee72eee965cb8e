import { readFileSync } from 'node:fs';
import type { JsonObject, JsonValue } from '../../../../src/api/json/json.ts';
import type { KindCases, Mutation } from '../case.ts';
import { values } from './values.ts';

// How values were written: empty lists and maps, which are not null, JSON within texts, names that miss their kind's.

const labels = { a: 'b' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'b' }] } };
const workload = { selector: { matchLabels: labels }, template };
const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

function written(resource: string, kind: string, rest: JsonObject, more: Partial<KindCases>): KindCases {
  const apiVersion = resource.split('/').slice(0, -1).join('/');
  return {
    resource,
    variant: 'written',
    base: { apiVersion, kind, metadata: { name: 'recorded-written' }, ...rest },
    createWith: { 'metadata.name': 'created' },
    ...more,
  };
}

const signingRequest = readFileSync(new URL('../inputs/ec.csr', import.meta.url)).toString('base64');
const nothing: readonly (JsonValue | undefined)[] = [undefined, null, {}];
const noList: readonly (JsonValue | undefined)[] = [undefined, null, []];
const templateLabels = [
  ...values('spec.template.metadata.labels', ...nothing),
  ...values('spec.selector', {}, { matchLabels: {} }),
];
const ephemeral = (fields: JsonObject): Mutation => ({
  'spec.template.spec.ephemeralContainers': [{ name: 'e', image: 'e', ...fields }],
});
const podFields: readonly Mutation[] = [
  ...['ports', 'resizePolicy', 'restartPolicyRules'].map((name) => ephemeral({ [name]: [] })),
  ...['limits', 'requests'].map((name) => ephemeral({ resources: { [name]: {} } })),
  ephemeral({ resources: {} }),
  ...values('spec.template.spec.resources.claims', [], null),
  ...['finalizers', 'ownerReferences', 'labels'].map((name) => ({
    'spec.template.spec.volumes': [
      {
        name: 'v',
        ephemeral: { volumeClaimTemplate: { metadata: { [name]: name === 'labels' ? {} : [] }, spec: claim.spec } },
      },
    ],
  })),
];

const docker: readonly string[] = [
  '',
  ' ',
  '{',
  '}',
  '[]',
  '"x"',
  '1',
  'true',
  'null',
  '{}',
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  "{'a':1}",
  '{a:1}',
  '{"a":1e999}',
  '{"a":tru}',
  '{"a":"\\x"}',
  '{"a":"\\u12"}',
  '{"a":01}',
  '{"a":1.}',
  '{"a":-}',
  '{"a":1e}',
  '{} x',
  'x',
  'é',
  "'",
  '{"a":"b',
  'nulll',
  '[1',
  '[1 2]',
  '{"a" 1}',
  '{"a":1 "b":2}',
  '-',
  '\0',
  '{,}',
  '[,]',
];
const bytesOf = (text: string): string => Buffer.from(text).toString('base64');

const annotated: readonly string[] = [
  '{',
  '[]',
  '[1]',
  '["a"]',
  '[null]',
  '{"a":1}',
  '[{"key":1}]',
  '[{"KEY":1}]',
  '[{"Key":"a","Effect":"x"}]',
  '[[]]',
  '[{"operator":1}]',
  '[{"effect":{}}]',
  '[{"tolerationSeconds":"x"}]',
  '[{"timeAdded":5}]',
  'tru',
  '"x"',
  '{"preferAvoidPods":[{}]}',
  '{"preferAvoidPods":1}',
  '{"preferAvoidPods":[{"podSignature":{"podController":{"controller":false}}}]}',
];

const annotation = (name: string): string => `metadata.annotations.scheduler~alpha~kubernetes~io/${name}`;

export const writtenValueCases: readonly KindCases[] = [
  written(
    'apps/v1/statefulsets',
    'StatefulSet',
    { spec: { ...workload, serviceName: 's', volumeClaimTemplates: [claim] } },
    {
      create: [...templateLabels, ...podFields],
      update: [
        ...values('spec.volumeClaimTemplates', ...noList),
        ...values('spec.volumeClaimTemplates.0.spec.accessModes', ...noList),
        ...values('spec.volumeClaimTemplates.0.spec.selector', {}, { matchLabels: {} }, { matchExpressions: [] }),
        ...values('spec.selector', {}, { matchLabels: {} }),
      ],
    },
  ),
  written('apps/v1/daemonsets', 'DaemonSet', { spec: workload }, { create: [...templateLabels, ...podFields] }),
  written('apps/v1/deployments', 'Deployment', { spec: workload }, { create: [...templateLabels, ...podFields] }),
  written(
    'v1/resourcequotas',
    'ResourceQuota',
    { spec: { scopes: ['BestEffort'] } },
    {
      update: values('spec.scopes', ...noList, ['NotBestEffort']),
    },
  ),
  written(
    'storage.k8s.io/v1/storageclasses',
    'StorageClass',
    { provisioner: 'x' },
    {
      clusterScoped: true,
      create: [
        ...values('volumeBindingMode', '', 'x'),
        ...values(
          'allowedTopologies',
          [null],
          [{}],
          [{ matchLabelExpressions: [] }],
          [{ matchLabelExpressions: [{}] }],
        ),
      ],
    },
  ),
  written(
    'node.k8s.io/v1/runtimeclasses',
    'RuntimeClass',
    { handler: 'a' },
    {
      clusterScoped: true,
      create: values('handler', '', 'a'.repeat(64), 'A', 'a.b', '-a'),
    },
  ),
  written(
    'discovery.k8s.io/v1/endpointslices',
    'EndpointSlice',
    { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }] },
    {
      create: values('addressType', 'IPv6', 'FQDN', 'x', ''),
      update: [
        ...values('addressType', 'IPv6', 'FQDN', 'x', ''),
        { addressType: 'IPv6', 'endpoints.0.addresses': ['10.0.0.2'] },
      ],
    },
  ),
  written(
    'autoscaling/v2/horizontalpodautoscalers',
    'HorizontalPodAutoscaler',
    {
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'a', apiVersion: 'apps/v1' }, maxReplicas: 2 },
    },
    {
      create: ['scaleUp', 'scaleDown'].flatMap((name) => values(`spec.behavior.${name}.policies`, [], null)),
    },
  ),
  written(
    'apiextensions.k8s.io/v1/customresourcedefinitions',
    'CustomResourceDefinition',
    {
      metadata: { name: 'writtens.example.com' },
      spec: {
        group: 'example.com',
        names: { plural: 'writtens', kind: 'Written' },
        scope: 'Namespaced',
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    },
    {
      clusterScoped: true,
      createWith: { 'metadata.name': 'others.example.com', 'spec.names': { plural: 'others', kind: 'Other' } },
      create: [
        ...values('spec.versions', ...noList),
        ...values('metadata.name', 'x.example.com', 'A_b'),
        ...['x-kubernetes-list-type', 'x-kubernetes-map-type'].map((name) => ({
          'spec.versions.0.schema.openAPIV3Schema': { type: 'object', allOf: [{ [name]: '' }] },
        })),
      ],
    },
  ),
  written(
    'certificates.k8s.io/v1/certificatesigningrequests',
    'CertificateSigningRequest',
    {
      spec: { signerName: 'a.b/c', usages: ['any'], request: signingRequest },
    },
    {
      clusterScoped: true,
      create: [...values('spec.request', '', null, undefined), ...values('spec.usages', ...noList)],
    },
  ),
  written(
    'v1/secrets',
    'Secret',
    { type: 'Opaque' },
    {
      create: docker.flatMap((text) => [
        { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': bytesOf(text) } },
        { type: 'kubernetes.io/dockercfg', data: { '.dockercfg': bytesOf(text) } },
      ]),
    },
  ),
  written(
    'v1/nodes',
    'Node',
    {},
    {
      clusterScoped: true,
      create: [
        ...annotated.flatMap((text) => [{ [annotation('taints')]: text }, { [annotation('preferAvoidPods')]: text }]),
        ...values('status.declaredFeatures', ['a'], ['A', 'A'], ['B', 'A'], ['A/b', 'A'], [''], ['A'.repeat(254)]),
        ...values('status.nodeInfo.swap.capacity', 0, -1),
      ],
      update: annotated.map((text) => ({ [annotation('taints')]: text })),
    },
  ),
  written(
    'v1/pods',
    'Pod',
    { spec: { containers: [{ name: 'a', image: 'b' }] } },
    {
      create: annotated.map((text) => ({ [annotation('tolerations')]: text })),
    },
  ),
];
