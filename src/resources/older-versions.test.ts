import { expect, test } from 'vitest';
import type { JsonObject } from '../api/json/json.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { builtInKind } from './kind-table.ts';
import { kindEnvironment } from './testdata/kind-environment.ts';

const never = { key: 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match', operator: 'Exists' };
const always = { ...never, operator: 'DoesNotExist' };

const cases: readonly (readonly [kind: string, older: JsonObject, newer: JsonObject])[] = [
  ['policy/v1beta1/PodDisruptionBudget', { spec: {} }, { spec: {} }],
  [
    'policy/v1beta1/PodDisruptionBudget',
    { spec: { selector: {} } },
    { spec: { selector: { matchExpressions: [never] } } },
  ],
  [
    'policy/v1beta1/PodDisruptionBudget',
    { spec: { selector: { matchExpressions: [always] } } },
    { spec: { selector: {} } },
  ],
  [
    'policy/v1beta1/PodDisruptionBudget',
    { spec: { selector: { matchLabels: { a: 'b' }, matchExpressions: [never] } } },
    { spec: { selector: { matchLabels: { a: 'b' } } } },
  ],
  [
    'extensions/v1beta1/Ingress',
    {
      spec: {
        backend: { serviceName: 'all', servicePort: 'web' },
        rules: [{ http: { paths: [{ backend: { serviceName: 'one', servicePort: 80 } }] } }],
      },
    },
    {
      spec: {
        defaultBackend: { service: { name: 'all', port: { name: 'web' } } },
        rules: [{ http: { paths: [{ backend: { service: { name: 'one', port: { number: 80 } } } }] } }],
      },
    },
  ],
  [
    'discovery.k8s.io/v1beta1/EndpointSlice',
    {
      endpoints: [
        { nodeName: 'n', topology: { 'kubernetes.io/hostname': 'n', 'topology.kubernetes.io/zone': 'z', other: 'o' } },
        { nodeName: 'n', topology: { 'kubernetes.io/hostname': 'm' } },
        { nodeName: 'n', topology: {} },
      ],
    },
    {
      endpoints: [
        { nodeName: 'n', zone: 'z', deprecatedTopology: { other: 'o' } },
        { nodeName: 'n', deprecatedTopology: { 'kubernetes.io/hostname': 'm' } },
        { nodeName: 'n' },
      ],
    },
  ],
  [
    'node.k8s.io/v1alpha1/RuntimeClass',
    { metadata: { name: 'a' }, spec: { runtimeHandler: 'h', overhead: {} } },
    { metadata: { name: 'a' }, handler: 'h', overhead: {} },
  ],
  [
    'flowcontrol.apiserver.k8s.io/v1beta2/PriorityLevelConfiguration',
    { spec: { type: 'Limited', limited: { assuredConcurrencyShares: 5 } } },
    { spec: { type: 'Limited', limited: { nominalConcurrencyShares: 5 } } },
  ],
  [
    'admissionregistration.k8s.io/v1beta1/ValidatingWebhookConfiguration',
    { webhooks: [{ name: 'a', failurePolicy: 'Fail' }] },
    {
      webhooks: [
        { name: 'a', failurePolicy: 'Fail', matchPolicy: 'Exact', sideEffects: 'Unknown', timeoutSeconds: 30 },
      ],
    },
  ],
  [
    'apiextensions.k8s.io/v1beta1/CustomResourceDefinition',
    {
      spec: {
        version: 'v1',
        validation: { openAPIV3Schema: { type: 'object' } },
        additionalPrinterColumns: [{ name: 'A', JSONPath: '.a' }],
        conversion: { strategy: 'Webhook', webhookClientConfig: { url: 'u' }, conversionReviewVersions: ['v1'] },
      },
    },
    {
      spec: {
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object' } },
            additionalPrinterColumns: [{ name: 'A', jsonPath: '.a' }],
          },
        ],
        conversion: { strategy: 'Webhook', webhook: { clientConfig: { url: 'u' }, conversionReviewVersions: ['v1'] } },
        preserveUnknownFields: true,
      },
    },
  ],
];

test.each(cases)('%s %j', async (place, older, newer) => {
  const [, group = '', kind = ''] = /^(.*)\/[^/]*\/([^/]*)$/.exec(place) ?? [];
  const current = group === 'extensions' ? 'networking.k8s.io' : group;
  const apiVersion = place.slice(0, place.lastIndexOf('/'));
  // The conversions only use these fields.
  const object = { ...older, apiVersion, kind } as unknown as KubernetesObject;
  const [converted] = await builtInKind(current, kind).behaviourIn(kindEnvironment()).converter.convert([object], {
    group: current,
    version: 'v1',
    kind,
  });
  expect(converted).toEqual({ ...newer, apiVersion: `${current}/v1`, kind });
});
