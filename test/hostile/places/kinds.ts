import { namespaced } from '../text-bodies.ts';
import { hole, object, type TextField } from './place.ts';

const admission = '/apis/admissionregistration.k8s.io/v1';

const webhook = (clientConfig: object, parts: object = {}): object =>
  object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', {
    webhooks: [{ name: 'a.b.c', sideEffects: 'None', admissionReviewVersions: ['v1'], clientConfig, ...parts }],
  });

const volumeOnDisk = (spec: object): object =>
  object('v1', 'PersistentVolume', { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec } });

const service = (spec: object): object => object('v1', 'Service', { spec: { ports: [{ port: 1 }], ...spec } });
const policy = (rule: object): object =>
  object('networking.k8s.io/v1', 'NetworkPolicy', {
    spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: rule }] }] },
  });
const ingress = (spec: object): object => object('networking.k8s.io/v1', 'Ingress', { spec });
const cronJob = (spec: object): object =>
  object('batch/v1', 'CronJob', {
    spec: {
      jobTemplate: {
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } } },
      },
      ...spec,
    },
  });
const definition = (schema: object): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'as.x.io' },
  spec: {
    group: 'x.io',
    scope: 'Namespaced',
    names: { plural: 'as', kind: 'A' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { a: schema } } },
      },
    ],
  },
});
const signingRequest = (spec: object): object =>
  object('certificates.k8s.io/v1', 'CertificateSigningRequest', {
    spec: { signerName: 'a.b/c', usages: ['digital signature'], ...spec },
  });

const networking = '/apis/networking.k8s.io/v1';
const volumes = '/api/v1/persistentvolumes';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const webhooks = `${admission}/validatingwebhookconfigurations`;

/** Places in all other kinds. */
export const placesOfKinds: readonly TextField[] = [
  {
    what: 'secret in base64',
    path: namespaced('secrets'),
    document: object('v1', 'Secret', { data: { a: hole } }),
    texts: ['AA==', 'A\n', '='],
  },
  {
    what: 'docker config',
    path: namespaced('secrets'),
    document: object('v1', 'Secret', {
      type: 'kubernetes.io/dockerconfigjson',
      stringData: { '.dockerconfigjson': hole },
    }),
    texts: ['[', '{"a":'],
  },
  {
    what: 'path of a volume',
    path: volumes,
    document: volumeOnDisk({ hostPath: { path: hole } }),
    texts: ['../', './'],
    prefix: '/',
  },
  {
    what: 'capacity',
    path: volumes,
    document: object('v1', 'PersistentVolume', { spec: { capacity: { storage: hole }, hostPath: { path: '/a' } } }),
  },
  { what: 'mount option', path: volumes, document: volumeOnDisk({ hostPath: { path: '/a' }, mountOptions: [hole] }) },
  {
    what: 'driver',
    path: volumes,
    document: volumeOnDisk({ csi: { driver: hole, volumeHandle: hole } }),
    texts: ['a.'],
  },
  {
    what: 'cluster address',
    path: namespaced('services'),
    document: service({ clusterIP: hole }),
    texts: ['1.', 'f:', '::'],
  },
  {
    what: 'external name',
    path: namespaced('services'),
    document: service({ type: 'ExternalName', externalName: hole }),
    texts: ['a.'],
  },
  {
    what: 'source range',
    path: namespaced('services'),
    document: service({ type: 'LoadBalancer', loadBalancerSourceRanges: [hole] }),
    texts: ['1.', '1/'],
  },
  {
    what: 'address block',
    path: namespaced('networkpolicies', 'apis/networking.k8s.io/v1'),
    document: policy({ cidr: hole, except: [hole] }),
    texts: ['1.', '::', '1/'],
  },
  {
    what: 'host of an ingress',
    path: `${networking}/namespaces/default/ingresses`,
    document: ingress({ rules: [{ host: hole }] }),
    texts: ['a.', '*.'],
  },
  {
    what: 'path of an ingress',
    path: `${networking}/namespaces/default/ingresses`,
    document: ingress({
      rules: [
        { http: { paths: [{ path: hole, pathType: 'Prefix', backend: { resource: { kind: 'a', name: 'a' } } }] } },
      ],
    }),
    texts: ['//', '%2f', './', '/../'],
  },
  {
    what: 'schedule',
    path: namespaced('cronjobs', 'apis/batch/v1'),
    document: cronJob({ schedule: hole }),
    texts: ['* ', '1,', '1-', '*/', '@every 1h'],
  },
  {
    what: 'time zone',
    path: namespaced('cronjobs', 'apis/batch/v1'),
    document: cronJob({ schedule: '* * * * *', timeZone: hole }),
    texts: ['A/'],
  },
  {
    what: 'pattern',
    path: definitions,
    document: definition({ type: 'string', pattern: hole }),
    texts: ['(', 'a?', '(a+)+', 'a{1000}', '[a-', '\\'],
  },
  {
    what: 'pattern with a default',
    path: definitions,
    document: definition({ type: 'string', pattern: hole, default: 'a'.repeat(50) }),
    texts: ['a?', 'a*', '(a+)+'],
    prefix: '^(a+)+$',
  },
  { what: 'format', path: definitions, document: definition({ type: 'string', format: hole }) },
  {
    what: 'default of a date',
    path: definitions,
    document: definition({ type: 'string', format: 'date-time', default: hole }),
    texts: ['2026-01-01T00:00:00.'],
  },
  {
    what: 'default of a mail address',
    path: definitions,
    document: definition({ type: 'string', format: 'email', default: hole }),
    texts: ['a@', 'a.', '"a'],
  },
  {
    what: 'default of a duration',
    path: definitions,
    document: definition({ type: 'string', format: 'duration', default: hole }),
    texts: ['1h', '1.'],
  },
  {
    what: 'default of a host',
    path: definitions,
    document: definition({ type: 'string', format: 'hostname', default: hole }),
    texts: ['a.', 'a-'],
  },
  {
    what: 'column',
    path: definitions,
    document: {
      ...definition({ type: 'string' }),
      spec: { additionalPrinterColumns: [{ name: 'a', type: 'string', jsonPath: hole }] },
    },
    texts: ['.a', '[', "['a']"],
  },
  {
    what: 'webhook path',
    path: webhooks,
    document: webhook({ service: { name: 'a', namespace: 'a', path: hole } }),
    texts: ['//', 'a/'],
  },
  {
    what: 'webhook address',
    path: webhooks,
    document: webhook({ url: hole }),
    texts: ['a/', '%2', 'a.', '@'],
    prefix: 'https://',
  },
  {
    what: 'webhook authority',
    path: webhooks,
    document: webhook({ url: 'https://a', caBundle: hole }),
    texts: ['AAAA', 'LS0t'],
  },
  {
    what: 'match condition',
    path: webhooks,
    document: webhook({ url: 'https://a' }, { matchConditions: [{ name: 'a', expression: hole }] }),
    texts: ['(', 'a.', '[', '!', '1+'],
  },
  {
    what: 'signing request',
    path: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    document: signingRequest({ request: hole }),
    texts: ['AAAA', 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K'],
  },
  {
    what: 'signer',
    path: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    document: signingRequest({ signerName: hole, request: '' }),
    texts: ['a.', 'a/'],
  },
  {
    what: 'trust bundle',
    path: '/apis/certificates.k8s.io/v1beta1/clustertrustbundles',
    document: object('certificates.k8s.io/v1beta1', 'ClusterTrustBundle', { spec: { trustBundle: hole } }),
    texts: ['-----BEGIN CERTIFICATE-----\n', '-----BEGIN '],
  },
  {
    what: 'holder of a lease',
    path: namespaced('leases', 'apis/coordination.k8s.io/v1'),
    document: object('coordination.k8s.io/v1', 'Lease', { spec: { holderIdentity: hole, renewTime: hole } }),
  },
  {
    what: 'role',
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    document: object('rbac.authorization.k8s.io/v1', 'ClusterRole', {
      rules: [{ verbs: [hole], nonResourceURLs: [hole] }],
    }),
    texts: ['*', '/*'],
  },
  {
    what: 'selector',
    path: namespaced('deployments', 'apis/apps/v1'),
    document: object('apps/v1', 'Deployment', { spec: { selector: { matchLabels: { HOLE: hole } }, template: {} } }),
  },
  {
    what: 'rolling update',
    path: namespaced('deployments', 'apis/apps/v1'),
    document: object('apps/v1', 'Deployment', {
      spec: { selector: {}, template: {}, strategy: { rollingUpdate: { maxSurge: hole } } },
    }),
    texts: ['1%', '%'],
  },
  {
    what: 'status selector of a scale',
    path: '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    document: object('autoscaling/v2', 'HorizontalPodAutoscaler', {
      spec: { maxReplicas: 1, scaleTargetRef: { kind: hole, name: hole, apiVersion: hole } },
    }),
  },
  {
    what: 'device selector',
    path: '/apis/resource.k8s.io/v1/deviceclasses',
    document: object('resource.k8s.io/v1', 'DeviceClass', { spec: { selectors: [{ cel: { expression: hole } }] } }),
    texts: ['(', 'a.'],
  },
  {
    what: 'taint',
    path: '/api/v1/nodes',
    document: object('v1', 'Node', {
      spec: { podCIDR: hole, providerID: hole, taints: [{ key: hole, effect: hole }] },
    }),
    texts: ['1.', 'a/'],
  },
  {
    what: 'subject of a review',
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    document: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user: hole, resourceAttributes: { verb: hole } },
    },
  },
];
