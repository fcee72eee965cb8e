import { captainsRequest, mastersRequest } from '../../../all-resources/certificates.ts';
import { get, inNamespace, patch, post, put, remove, scenario } from '../scenario.ts';

const namespace = '/api/v1/namespaces/diff-classes';
const pods = `${namespace}/pods`;
const claims = `${namespace}/persistentvolumeclaims`;
const storageClasses = '/apis/storage.k8s.io/v1/storageclasses';
const ingressClasses = '/apis/networking.k8s.io/v1/ingressclasses';
const ingresses = '/apis/networking.k8s.io/v1/namespaces/diff-classes/ingresses';
const priorityClasses = '/apis/scheduling.k8s.io/v1/priorityclasses';
const runtimeClasses = '/apis/node.k8s.io/v1/runtimeclasses';
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

const containers = [{ name: 'c', image: 'i' }];

function pod(name: string, rest: object = {}): object {
  return { metadata: { name }, spec: { containers, ...rest } };
}

function claim(
  name: string,
  { spec = {}, annotations = {} }: { readonly spec?: object; readonly annotations?: object } = {},
): object {
  const resources = { requests: { storage: '1Gi' } };
  return { metadata: { name, annotations }, spec: { accessModes: ['ReadWriteOnce'], resources, ...spec } };
}

function ingress(
  name: string,
  { spec = {}, annotations = {} }: { readonly spec?: object; readonly annotations?: object } = {},
): object {
  return {
    metadata: { name, annotations },
    spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } }, ...spec },
  };
}

function signingRequest(name: string, request: string, signerName: string): object {
  return { metadata: { name }, spec: { request, signerName, usages: ['client auth'] } };
}

const size = (storage: string): object => ({ spec: { resources: { requests: { storage } } } });

const priorities = [
  post('create a class', priorityClasses, { metadata: { name: 'diff-high' }, value: 7, preemptionPolicy: 'Never' }),
  post('a pod of the class', pods, pod('high', { priorityClassName: 'diff-high' })),
  post('a pod with the same priority', pods, pod('same', { priorityClassName: 'diff-high', priority: 7 })),
  post('a pod with another priority', pods, pod('other', { priorityClassName: 'diff-high', priority: 8 })),
  post(
    'a pod with another policy',
    pods,
    pod('other', { priorityClassName: 'diff-high', preemptionPolicy: 'PreemptLowerPriority' }),
  ),
  post('a pod of no class with a priority', pods, pod('other', { priority: 5 })),
  post('a pod of a class that is not there', pods, pod('other', { priorityClassName: 'diff-none' })),
  post('a pod of a system class', pods, pod('system', { priorityClassName: 'system-node-critical' })),
  post('create a default class', priorityClasses, { metadata: { name: 'diff-usual' }, value: 3, globalDefault: true }),
  post('create the default class again', priorityClasses, {
    metadata: { name: 'diff-usual' },
    value: 3,
    globalDefault: true,
  }),
  post('create another default class', priorityClasses, {
    metadata: { name: 'diff-second' },
    value: 3,
    globalDefault: true,
  }),
  patch('make another class the default', `${priorityClasses}/diff-high`, {
    type: 'merge',
    body: { globalDefault: true },
  }),
  patch('change the default class', `${priorityClasses}/diff-usual`, { type: 'merge', body: { description: 'd' } }),
  post('a pod of the default class', pods, pod('usual')),
  put('a pod without what was set', `${pods}/usual`, pod('usual', { priorityClassName: 'diff-usual' })),
  remove('delete the default class', `${priorityClasses}/diff-usual`),
  remove('delete the class', `${priorityClasses}/diff-high`),
];

const tolerations = [
  post(
    'a pod that tolerates something',
    pods,
    pod('tolerant', {
      tolerations: [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 3 },
      ],
    }),
  ),
  post('a pod that tolerates everything', pods, pod('lenient', { tolerations: [{ operator: 'Exists' }] })),
  post(
    'a pod that tolerates another effect',
    pods,
    pod('other-effect', {
      tolerations: [{ key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoSchedule' }],
    }),
  ),
];

const storage = [
  post('a claim without a default', claims, claim('classless')),
  post('create a storage class', storageClasses, {
    metadata: { name: 'diff-growing', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'p',
    allowVolumeExpansion: true,
  }),
  post('a claim gets the default', claims, claim('default')),
  post('a claim that wants none', claims, claim('none', { spec: { storageClassName: '' } })),
  post(
    'a claim with the old annotation',
    claims,
    claim('annotated', { annotations: { 'volume.beta.kubernetes.io/storage-class': 'x' } }),
  ),
  patch('grow an unbound claim', `${claims}/default`, { type: 'merge', body: size('2Gi') }),
  patch('shrink an unbound claim', `${claims}/default`, { type: 'merge', body: size('500Mi') }),
  patch('bind the claim', `${claims}/default/status`, {
    type: 'merge',
    body: { status: { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] } },
  }),
  patch('grow the bound claim', `${claims}/default`, { type: 'merge', body: size('2Gi') }),
  patch('forbid growing', `${storageClasses}/diff-growing`, { type: 'merge', body: { allowVolumeExpansion: false } }),
  patch('grow it more', `${claims}/default`, { type: 'merge', body: size('3Gi') }),
  remove('delete the storage class', `${storageClasses}/diff-growing`),
  post('create the first of two', storageClasses, {
    metadata: { name: 'diff-a', annotations: { 'storageclass.beta.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'p',
  }),
  post('a claim gets the one', claims, claim('one')),
  remove('delete the one', `${storageClasses}/diff-a`),
];

const ingressSteps = [
  post('an ingress without a default', ingresses, ingress('classless')),
  post('create an ingress class', ingressClasses, {
    metadata: { name: 'diff-front', annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
    spec: { controller: 'example.com/front' },
  }),
  post('an ingress gets the default', ingresses, ingress('default')),
  post('an ingress with a class', ingresses, ingress('own', { spec: { ingressClassName: 'other' } })),
  post(
    'an ingress with the old annotation',
    ingresses,
    ingress('annotated', { annotations: { 'kubernetes.io/ingress.class': 'x' } }),
  ),
  remove('delete the ingress class', `${ingressClasses}/diff-front`),
];

const runtimes = [
  post('overhead without a class', pods, pod('overhead', { overhead: { cpu: '1' } })),
  post('empty overhead without a class', pods, pod('empty-overhead', { overhead: {} })),
  post('a runtime class that is not there', pods, pod('no-class', { runtimeClassName: 'diff-none' })),
  post('create a runtime class', runtimeClasses, {
    metadata: { name: 'diff-box' },
    handler: 'box',
    overhead: { podFixed: { cpu: '100m', memory: '10Mi' } },
    scheduling: {
      nodeSelector: { box: 'yes' },
      tolerations: [{ key: 'box', operator: 'Exists', effect: 'NoSchedule' }],
    },
  }),
  post('a pod of the runtime class', pods, pod('boxed', { runtimeClassName: 'diff-box' })),
  post(
    'a pod with the same overhead',
    pods,
    pod('same-overhead', { runtimeClassName: 'diff-box', overhead: { cpu: '0.1', memory: '10240Ki' } }),
  ),
  post('a pod with another overhead', pods, pod('other', { runtimeClassName: 'diff-box', overhead: { cpu: '1' } })),
  post('a pod with another node', pods, pod('other', { runtimeClassName: 'diff-box', nodeSelector: { box: 'no' } })),
  post(
    'a pod with a node and tolerations',
    pods,
    pod('tolerations', {
      runtimeClassName: 'diff-box',
      nodeSelector: { a: 'b' },
      tolerations: [
        { key: 'box', value: 'v', effect: 'NoSchedule' },
        { key: 'other', operator: 'Exists' },
        { operator: 'Equal', key: 'box', value: 'v', effect: 'NoSchedule' },
      ],
    }),
  ),
  post('create a runtime class without overhead', runtimeClasses, {
    metadata: { name: 'diff-plain' },
    handler: 'plain',
  }),
  post(
    'overhead that the class does not have',
    pods,
    pod('other', { runtimeClassName: 'diff-plain', overhead: { cpu: '1' } }),
  ),
  post('a pod of the plain class', pods, pod('plain', { runtimeClassName: 'diff-plain' })),
  remove('delete the runtime class', `${runtimeClasses}/diff-box`),
  remove('delete the plain runtime class', `${runtimeClasses}/diff-plain`),
];

const certificates = [
  post(
    'a client certificate of the masters',
    requests,
    signingRequest('diff-masters', mastersRequest, 'kubernetes.io/kube-apiserver-client'),
  ),
  post(
    'another certificate of the masters',
    requests,
    signingRequest('diff-masters', mastersRequest, 'example.com/other'),
  ),
  post(
    'a client certificate of others',
    requests,
    signingRequest('diff-captains', captainsRequest, 'kubernetes.io/kube-apiserver-client'),
  ),
  remove('delete the first request', `${requests}/diff-masters`),
  remove('delete the second request', `${requests}/diff-captains`),
];

const nodeLabels = { 'topology.kubernetes.io/zone': 'z', 'topology.kubernetes.io/region': 'r', other: 'o' };
const binding = (name: string, node: string, metadata: object = {}): object => ({
  metadata: { name, ...metadata },
  target: { kind: 'Node', name: node },
});

const topology = [
  post('create a node', '/api/v1/nodes', {
    metadata: { name: 'diff-node', labels: nodeLabels },
    status: { allocatable: { cpu: '2', memory: '1Gi' } },
  }),
  post('a pod for the node', pods, pod('placed', { nodeName: 'diff-node' })),
  post('a pod for no node', pods, pod('unplaced', { nodeName: 'diff-nowhere' })),
  post('a pod without a node', pods, {
    metadata: { name: 'bound', labels: { 'topology.kubernetes.io/zone': 'old' } },
    spec: { containers },
  }),
  post(
    'bind it',
    `${pods}/bound/binding`,
    binding('bound', 'diff-node', { annotations: { a: 'b' }, labels: { c: 'd' } }),
  ),
  get(`${pods}/bound`),
  post('another pod without a node', pods, pod('bound-elsewhere')),
  post('bind the other', `${namespace}/bindings`, binding('bound-elsewhere', 'diff-node')),
  get(`${pods}/bound-elsewhere`),
  post('a third pod without a node', pods, pod('bound-later')),
  post(
    'bind the third with another uid',
    `${pods}/bound-later/binding`,
    binding('bound-later', 'diff-node', { uid: 'other' }),
  ),
  post(
    'bind the third with an old version',
    `${pods}/bound-later/binding`,
    binding('bound-later', 'diff-node', { resourceVersion: '1' }),
  ),
  post('bind what is not there', `${pods}/bound-never/binding`, binding('bound-never', 'diff-node')),
  post('bind under another name', `${pods}/bound-later/binding`, binding('bound-never', 'diff-node')),
];

const resized = (requestsOf: object, limits: object): object => ({
  spec: { containers: [{ name: 'c', resources: { requests: requestsOf, limits } }] },
});

const resizes = [
  patch('resize beyond the node', `${pods}/large/resize`, {
    type: 'strategic',
    body: resized({ cpu: '3', memory: '2Gi' }, { cpu: '3', memory: '2Gi' }),
  }),
  patch('resize within the node', `${pods}/large/resize`, {
    type: 'strategic',
    body: resized({ cpu: '2', memory: '1Gi' }, { cpu: '2', memory: '1Gi' }),
  }),
  patch('resize to the same', `${pods}/large/resize`, {
    type: 'strategic',
    body: resized({ cpu: '2', memory: '1Gi' }, { cpu: '2', memory: '1Gi' }),
  }),
  patch('make the node another system', '/api/v1/nodes/diff-node', {
    type: 'merge',
    body: { metadata: { labels: { 'kubernetes.io/os': 'windows' } } },
  }),
  patch('resize on another system', `${pods}/large/resize`, {
    type: 'strategic',
    body: resized({ cpu: '1', memory: '1Gi' }, { cpu: '1', memory: '1Gi' }),
  }),
  remove('delete the node', '/api/v1/nodes/diff-node'),
  patch('resize on no node', `${pods}/large/resize`, {
    type: 'strategic',
    body: resized({ cpu: '1', memory: '1Gi' }, { cpu: '1', memory: '1Gi' }),
  }),
];

/** Classes of pods, claims and ingresses, and other admission defaults and refusals. */
export const admissionClasses = scenario('admission-classes', [
  inNamespace('diff-classes'),
  ...priorities,
  ...tolerations,
  ...storage,
  ...ingressSteps,
  ...runtimes,
  ...certificates,
  ...topology,
  post('a pod to resize', pods, {
    metadata: { name: 'large' },
    spec: {
      nodeName: 'diff-node',
      containers: [
        {
          name: 'c',
          image: 'i',
          resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } },
        },
      ],
    },
  }),
  ...resizes,
]);
