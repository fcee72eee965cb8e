import type { JsonObject } from '../../../src/api/json/json.ts';
import type { CaseObject } from '../../case-objects.ts';
import {
  allowed,
  type CaseHook,
  type CaseStep,
  patchOf,
  rules,
  type WebhookCase,
  stringValue,
  mergePatch,
} from '../case-parts.ts';

const apps = '/apis/apps/v1/namespaces/NS/deployments';
const container = { name: 'a', image: 'b' };
const podSpec = { containers: [container] };
const object = (kind: string, apiVersion: string, more: JsonObject = {}): JsonObject => ({
  kind,
  apiVersion,
  metadata: { name: 'one' },
  ...more,
});
const pod = object('Pod', 'v1', { metadata: { name: 'one', labels: { app: 'a' } }, spec: podSpec });
const deployment = object('Deployment', 'apps/v1', {
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: podSpec },
  },
});
const pods: CaseObject = { path: 'pods', body: pod };
const deployments: CaseObject = { path: apps, body: deployment };
const service: CaseObject = {
  path: 'services',
  body: object('Service', 'v1', { spec: { clusterIP: 'None', ports: [{ port: 80 }] } }),
};
const merge = (path: string, body: JsonObject): CaseStep => ({ method: 'PATCH', path, contentType: mergePatch, body });
const mutatingHook = (resources: readonly string[], ...operations: JsonObject[]): CaseHook => ({
  type: 'mutating',
  fields: rules(resources),
  answer: patchOf(...operations),
});
const watching = (resources: readonly string[]): CaseHook => ({
  type: 'validating',
  fields: rules(resources),
  answer: allowed,
});

interface SubjectCase {
  readonly objects: readonly CaseObject[];
  readonly resource: string;
  readonly operations: readonly JsonObject[];
  readonly step: CaseStep;
}

/** A patch of one write, whose result a validating webhook sees. */
const patched = (name: string, { objects, resource, operations, step }: SubjectCase): WebhookCase => ({
  name,
  objects,
  hooks: [mutatingHook([resource], ...operations), watching([resource])],
  steps: [step],
});

const scaling: CaseStep = merge(`${apps}/one/scale`, { spec: { replicas: 3 } });

/** Patches of subresources. */
const subresources: readonly WebhookCase[] = [
  ...[
    { op: 'replace', path: '/spec/replicas', value: -1 },
    { op: 'replace', path: '/spec/replicas', value: 'many' },
    { op: 'remove', path: '/spec/replicas' },
    { op: 'replace', path: '/metadata/name', value: 'other' },
    { op: 'replace', path: '/metadata/resourceVersion', value: '1' },
    { op: 'replace', path: '/metadata/uid', value: 'other' },
    { op: 'add', path: '/metadata/labels', value: { a: 'b' } },
    { op: 'add', path: '/spec/unknown', value: 1 },
    { op: 'replace', path: '/kind', value: 'Deployment' },
    { op: 'replace', path: '/apiVersion', value: 'autoscaling/v2' },
    { op: 'replace', path: '/status', value: { replicas: 9 } },
  ].map((operation) =>
    patched(`scale: ${JSON.stringify(operation)}`, {
      objects: [deployments],
      resource: 'deployments/scale',
      operations: [operation as JsonObject],
      step: scaling,
    }),
  ),
  patched('a status that also changes the spec and the labels', {
    objects: [deployments],
    resource: 'deployments/status',
    operations: [
      { op: 'replace', path: '/spec/replicas', value: 7 },
      { op: 'add', path: '/metadata/labels', value: { a: 'b' } },
      { op: 'add', path: '/metadata/annotations', value: { a: 'b' } },
      { op: 'add', path: '/status/readyReplicas', value: 2 },
    ],
    step: merge(`${apps}/one/status`, { status: { replicas: 2 } }),
  }),
  patched('an object that also changes the status', {
    objects: [deployments],
    resource: 'deployments',
    operations: [{ op: 'add', path: '/status', value: { replicas: 7 } }],
    step: merge(`${apps}/one`, { spec: { paused: true } }),
  }),
  patched('a status at the creation', {
    objects: [],
    resource: 'deployments',
    operations: [{ op: 'add', path: '/status', value: { replicas: 7, observedGeneration: 3 } }],
    step: { method: 'POST', path: apps, body: deployment },
  }),
  patched('a selector that may not change', {
    objects: [deployments],
    resource: 'deployments',
    operations: [
      { op: 'replace', path: '/spec/selector/matchLabels/app', value: 'b' },
      { op: 'replace', path: '/spec/template/metadata/labels/app', value: 'b' },
    ],
    step: merge(`${apps}/one`, { spec: { replicas: 2 } }),
  }),
  patched('an address that may not change', {
    objects: [service],
    resource: 'services',
    operations: [{ op: 'replace', path: '/spec/clusterIP', value: '10.0.0.77' }],
    step: merge('services/one', { metadata: { labels: { a: 'b' } } }),
  }),
  patched('the type of a secret', {
    objects: [{ path: 'secrets', body: object('Secret', 'v1') }],
    resource: 'secrets',
    operations: [{ op: 'replace', path: '/type', value: 'example.com/other' }],
    step: merge('secrets/one', { data: { a: 'AAA=' } }),
  }),
  patched('text of a secret, which is only written', {
    objects: [],
    resource: 'secrets',
    operations: [{ op: 'add', path: '/stringData', value: { a: 'of the webhook', b: 'new' } }],
    step: { method: 'POST', path: 'secrets', body: object('Secret', 'v1', { stringData: { a: 'of the request' } }) },
  }),
  patched('an eviction', {
    objects: [pods],
    resource: 'pods/eviction',
    operations: [
      { op: 'add', path: '/deleteOptions', value: { gracePeriodSeconds: 0, preconditions: { uid: 'other' } } },
    ],
    step: {
      method: 'POST',
      path: 'pods/one/eviction',
      body: object('Eviction', 'policy/v1', { deleteOptions: { gracePeriodSeconds: 5 } }),
    },
  }),
  patched('an eviction of another', {
    objects: [pods],
    resource: 'pods/eviction',
    operations: [{ op: 'replace', path: '/metadata/name', value: 'other' }],
    step: { method: 'POST', path: 'pods/one/eviction', body: object('Eviction', 'policy/v1') },
  }),
  patched('a binding to another node', {
    objects: [pods],
    resource: 'pods/binding',
    operations: [
      { op: 'replace', path: '/target/name', value: 'other' },
      { op: 'add', path: '/metadata/annotations', value: { a: 'b' } },
      { op: 'add', path: '/metadata/labels', value: { c: 'd' } },
    ],
    step: {
      method: 'POST',
      path: 'pods/one/binding',
      body: object('Binding', 'v1', { target: { kind: 'Node', name: 'n' } }),
    },
  }),
  patched('a binding to no node', {
    objects: [pods],
    resource: 'pods/binding',
    operations: [{ op: 'replace', path: '/target/kind', value: 'Pod' }],
    step: {
      method: 'POST',
      path: 'pods/one/binding',
      body: object('Binding', 'v1', { target: { kind: 'Node', name: 'n' } }),
    },
  }),
  patched('the containers of a pod', {
    objects: [],
    resource: 'pods',
    operations: [
      { op: 'add', path: '/spec/containers/-', value: { name: 'sidecar', image: 'c' } },
      { op: 'add', path: '/spec/initContainers', value: [{ name: 'first', image: 'd' }] },
    ],
    step: { method: 'POST', path: 'pods', body: pod },
  }),
  ...[
    ['no containers', { op: 'replace', path: '/spec/containers', value: [] }],
    ['two containers of one name', { op: 'add', path: '/spec/containers/-', value: container }],
    ['a field that does not exist', { op: 'add', path: '/spec/containers/0/frobnicate', value: true }],
    ['a quantity that is none', { op: 'add', path: '/spec/containers/0/resources', value: { limits: { cpu: 'x' } } }],
    ['a number for a text', { op: 'replace', path: '/spec/containers/0/image', value: 7 }],
    ['a priority', { op: 'add', path: '/spec/priority', value: 7 }],
    ['a class of priority that does not exist', { op: 'add', path: '/spec/priorityClassName', value: 'none' }],
  ].map(([name, operation]) =>
    patched(`a pod with ${stringValue(name)}`, {
      objects: [],
      resource: 'pods',
      operations: [operation as JsonObject],
      step: { method: 'POST', path: 'pods', body: pod },
    }),
  ),
  patched('a pod that changes what may not change', {
    objects: [pods],
    resource: 'pods',
    operations: [{ op: 'add', path: '/spec/nodeName', value: 'n' }],
    step: merge('pods/one', { metadata: { labels: { b: 'c' } } }),
  }),
  patched('a container that is debugged', {
    objects: [pods],
    resource: 'pods/ephemeralcontainers',
    operations: [{ op: 'replace', path: '/spec/ephemeralContainers/0/image', value: 'of-the-webhook' }],
    step: merge('pods/one/ephemeralcontainers', { spec: { ephemeralContainers: [{ name: 'd', image: 'x' }] } }),
  }),
  patched('a pod that is resized', {
    objects: [pods],
    resource: 'pods/resize',
    operations: [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }],
    step: {
      method: 'PATCH',
      path: 'pods/one/resize',
      contentType: 'application/strategic-merge-patch+json',
      body: { spec: { containers: [{ name: 'a', resizePolicy: [] }] } },
    },
  }),
  patched('a token', {
    objects: [{ path: 'serviceaccounts', body: object('ServiceAccount', 'v1') }],
    resource: 'serviceaccounts/token',
    operations: [{ op: 'replace', path: '/spec/expirationSeconds', value: 5 }],
    step: {
      method: 'POST',
      path: 'serviceaccounts/one/token',
      body: object('TokenRequest', 'authentication.k8s.io/v1', { spec: { audiences: ['a'], expirationSeconds: 700 } }),
    },
  }),
  {
    name: 'the scale of a ReplicationController',
    objects: [
      {
        path: 'replicationcontrollers',
        body: object('ReplicationController', 'v1', {
          spec: { replicas: 1, template: { metadata: { labels: { app: 'a' } }, spec: podSpec } },
        }),
      },
    ],
    hooks: [watching(['*/scale']), watching(['replicationcontrollers']), watching(['*'])],
    steps: [merge('replicationcontrollers/one/scale', { spec: { replicas: 2 } })],
  },
  {
    name: 'subresources by wildcards',
    objects: [pods, deployments],
    hooks: [watching(['pods/*']), watching(['*/status']), watching(['*/*']), watching(['*'])],
    steps: [
      merge('pods/one/status', { status: { phase: 'Running' } }),
      merge(`${apps}/one/status`, { status: { replicas: 2 } }),
      merge(`${apps}/one/scale`, { spec: { replicas: 2 } }),
    ],
  },
];

/** Connections, which have options in place of objects. */
const connections: readonly WebhookCase[] = [
  ...[
    ['GET', 'pods/one/exec?command=ls&stdin=true&tty=true'],
    ['POST', 'pods/one/attach?container=a&stdout=true'],
    ['POST', 'pods/one/portforward?ports=80&ports=81'],
    ['GET', 'pods/one/proxy/x/y?z=1'],
    ['PUT', 'services/one:80/proxy/x'],
    ['DELETE', 'services/one/proxy'],
    ['PATCH', 'pods/http:one:8080/proxy/'],
  ].map(([method, path]): WebhookCase => ({
    name: `connect: ${method} ${path}`,
    objects: [pods, service],
    hooks: [
      {
        type: 'validating',
        fields: rules(['*/*'], { scope: 'Namespaced' }),
        answer: { response: { allowed: false, warnings: ['w'], status: { message: 'no', code: 403 } } },
      },
    ],
    steps: [{ method: method as 'GET', path: String(path) }],
  })),
  {
    name: 'connect: a patch of the options',
    objects: [pods],
    hooks: [
      mutatingHook(['pods/exec'], { op: 'replace', path: '/command', value: ['other'] }),
      { type: 'validating', fields: rules(['pods/exec']), answer: { response: { allowed: false } } },
    ],
    steps: [{ method: 'POST', path: 'pods/one/exec?command=ls&stdout=true' }],
  },
  {
    name: 'connect: a patch that breaks the options',
    objects: [pods],
    hooks: [mutatingHook(['pods/exec'], { op: 'replace', path: '/command', value: 7 })],
    steps: [{ method: 'POST', path: 'pods/one/exec?command=ls&stdout=true' }],
  },
  {
    name: 'connect: only for other operations',
    objects: [pods],
    hooks: [
      { type: 'validating', fields: rules(['pods/exec'], { operations: ['CREATE', 'UPDATE'] }), answer: allowed },
      { type: 'validating', fields: rules(['pods/exec'], { operations: ['CONNECT'] }), answer: { nothing: 'cut' } },
    ],
    steps: [{ method: 'POST', path: 'pods/one/exec?command=ls&stdout=true' }],
  },
];

const review = (kind: string, group: string, spec: JsonObject): CaseStep => ({
  method: 'POST',
  path: `/apis/${group}/v1/${kind.toLowerCase()}s`,
  body: { kind, apiVersion: `${group}/v1`, spec },
});
const denying = (resources: readonly string[], rule: JsonObject): CaseHook => ({
  type: 'validating',
  answer: { response: { allowed: false, status: { message: 'no' } } },
  fields: rules(resources, rule),
});

/** Resources that are not stored, and those of the whole cluster. */
const virtual: readonly WebhookCase[] = [
  {
    name: 'reviews of access are not reviewed',
    hooks: [denying(['*'], { apiGroups: ['authorization.k8s.io', 'authentication.k8s.io'] })],
    steps: [
      review('SelfSubjectAccessReview', 'authorization.k8s.io', { nonResourceAttributes: { path: '/', verb: 'get' } }),
      review('SubjectAccessReview', 'authorization.k8s.io', {
        user: 'ann',
        groups: ['system:masters'],
        nonResourceAttributes: { path: '/', verb: 'get' },
      }),
      review('SelfSubjectReview', 'authentication.k8s.io', {}),
    ],
  },
  {
    name: 'an object of the cluster by its labels',
    hooks: ['CASE', 'nobody-CASE'].map((of): CaseHook => ({
      type: 'validating',
      answer: { response: { allowed: false } },
      fields: { ...rules(['clusterroles']), objectSelector: { matchLabels: { of } } },
    })),
    steps: [
      {
        method: 'POST',
        path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
        body: {
          kind: 'ClusterRole',
          apiVersion: 'rbac.authorization.k8s.io/v1',
          metadata: { name: 'of-case-CASE', labels: { of: 'CASE' } },
          rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }],
        },
      },
    ],
  },
  {
    name: 'a namespace by its own labels',
    hooks: [
      {
        type: 'validating',
        fields: { ...rules(['namespaces', 'namespaces/*']) },
        answer: allowed,
      },
    ],
    steps: [
      {
        method: 'POST',
        path: '/api/v1/namespaces',
        body: { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'more-of-CASE', labels: { case: 'CASE' } } },
      },
      merge('/api/v1/namespaces/more-of-CASE', { metadata: { labels: { a: 'b' } } }),
      merge('/api/v1/namespaces/more-of-CASE/status', { status: { phase: 'Active' } }),
      {
        method: 'PUT',
        path: '/api/v1/namespaces/more-of-CASE/finalize',
        body: { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'more-of-CASE' }, spec: { finalizers: [] } },
      },
      { method: 'DELETE', path: '/api/v1/namespaces/more-of-CASE' },
    ],
  },
  {
    name: 'a request of a certificate, and its approval',
    hooks: [
      {
        type: 'validating',
        fields: { ...rules(['certificatesigningrequests', 'certificatesigningrequests/*']) },
        answer: ({ request }) => ({
          response: {
            allowed: false,
            status: { message: `${stringValue(request['operation'])} ${stringValue(request['name'])}` },
          },
        }),
      },
    ],
    steps: [
      {
        method: 'POST',
        path: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
        body: {
          kind: 'CertificateSigningRequest',
          apiVersion: 'certificates.k8s.io/v1',
          metadata: { name: 'of-case-CASE' },
          spec: { request: 'AAA=', signerName: 'example.com/a', usages: ['digital signature'] },
        },
      },
    ],
  },
  {
    name: 'a PUT that creates',
    hooks: [
      {
        type: 'mutating',
        fields: rules(['leases']),
        answer: patchOf({ op: 'add', path: '/metadata/labels', value: { a: 'b' } }),
      },
      watching(['leases']),
    ],
    steps: [
      {
        method: 'PUT',
        path: '/apis/coordination.k8s.io/v1/namespaces/NS/leases/one',
        body: object('Lease', 'coordination.k8s.io/v1', { spec: { holderIdentity: 'me' } }),
      },
      {
        method: 'PUT',
        path: '/apis/coordination.k8s.io/v1/namespaces/NS/leases/one',
        body: object('Lease', 'coordination.k8s.io/v1', { spec: { holderIdentity: 'you' } }),
      },
    ],
  },
  {
    name: 'an event',
    hooks: [watching(['events'])],
    steps: [
      {
        method: 'POST',
        path: 'events',
        body: object('Event', 'v1', { involvedObject: { kind: 'Pod', name: 'p', namespace: 'NS' }, reason: 'x' }),
      },
    ],
  },
];

export const kindCases: readonly WebhookCase[] = [...subresources, ...connections, ...virtual];
