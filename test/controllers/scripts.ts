import { readFileSync } from 'node:fs';
import type { Script, Step } from './script.ts';

const core = '/api/v1';
const inSpace = (space: string, rest: string): string => `${core}/namespaces/${space}/${rest}`;
const post = (path: string, body: unknown): Step => ({ method: 'POST', path, body });
const patch = (path: string, body: unknown): Step => ({ method: 'PATCH', path, body });
const remove = (path: string): Step => ({ method: 'DELETE', path });
const space = (name: string): Step => post(`${core}/namespaces`, { metadata: { name } });

const requests = JSON.parse(readFileSync(new URL('testdata/requests.json', import.meta.url), 'utf8')) as {
  readonly [name: string]: string;
};
const signing = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

function request(name: string, pem: string, signer: string, spec: object): Step {
  const encoded = Buffer.from(requests[pem] ?? '').toString('base64');
  return post(signing, {
    metadata: { name },
    spec: { request: encoded, signerName: `kubernetes.io/${signer}`, ...spec },
  });
}

function approve(name: string): Step {
  const condition = { type: 'Approved', status: 'True', reason: 'Test', message: 'approved' };
  return patch(`${signing}/${name}/approval`, { status: { conditions: [condition] } });
}

const clientUsages = { usages: ['digital signature', 'key encipherment', 'client auth'] };
const servingUsages = { usages: ['digital signature', 'server auth'] };

export const accountScripts: readonly Script[] = [
  {
    name: 'a new namespace',
    steps: [space('fresh')],
    reads: [inSpace('fresh', 'serviceaccounts'), inSpace('fresh', 'configmaps')],
  },
  {
    name: 'secrets for tokens',
    steps: [
      space('tokens'),
      post(inSpace('tokens', 'serviceaccounts'), {
        metadata: { name: 'robot' },
        secrets: [{ name: 'gone' }, { name: 'other' }],
      }),
      ...['kept', 'gone'].map((name) =>
        post(inSpace('tokens', 'secrets'), {
          metadata: { name, annotations: { 'kubernetes.io/service-account.name': 'robot' } },
          type: 'kubernetes.io/service-account-token',
        }),
      ),
      post(inSpace('tokens', 'secrets'), {
        metadata: { name: 'stray', annotations: { 'kubernetes.io/service-account.name': 'nobody' } },
        type: 'kubernetes.io/service-account-token',
      }),
      { pauseMs: 500 },
      remove(inSpace('tokens', 'secrets/gone')),
    ],
    reads: [inSpace('tokens', 'secrets'), inSpace('tokens', 'serviceaccounts/robot')],
  },
  {
    name: 'tokens for joining',
    steps: [
      post(inSpace('kube-public', 'configmaps'), {
        metadata: { name: 'cluster-info' },
        data: { kubeconfig: 'apiVersion: v1\nkind: Config\n', 'jws-kubeconfig-gone00': 'x', other: 'y' },
      }),
      ...[
        ['aaaaaa', {}],
        ['bbbbbb', { 'usage-bootstrap-signing': 'false' }],
        ['cccccc', { expiration: '2020-01-01T00:00:00Z' }],
        ['dddddd', { expiration: 'tomorrow' }],
        ['eeeeee', { 'token-id': 'ffffff' }],
      ].map(([id, more]) =>
        post(inSpace('kube-system', 'secrets'), {
          metadata: { name: `bootstrap-token-${id as string}` },
          type: 'bootstrap.kubernetes.io/token',
          stringData: {
            'token-id': id,
            'token-secret': '0123456789abcdef',
            'usage-bootstrap-signing': 'true',
            ...(more as object),
          },
        }),
      ),
    ],
    reads: [
      inSpace('kube-public', 'configmaps/cluster-info'),
      ...['aaaaaa', 'cccccc', 'dddddd'].map((id) => inSpace('kube-system', `secrets/bootstrap-token-${id}`)),
    ],
  },
  {
    name: 'the trust bundle',
    steps: [],
    reads: ['/apis/certificates.k8s.io/v1/clustertrustbundles'],
  },
];

export const certificateScripts: readonly Script[] = [
  {
    name: 'kubelets are approved and signed',
    steps: [
      request('kubelet', 'kubelet', 'kube-apiserver-client-kubelet', clientUsages),
      request('kubelet-usages', 'kubelet', 'kube-apiserver-client-kubelet', servingUsages),
      request('serving', 'serving', 'kubelet-serving', servingUsages),
      approve('serving'),
      request('serving-names', 'kubelet', 'kubelet-serving', servingUsages),
      approve('serving-names'),
    ],
    reads: ['kubelet', 'kubelet-usages', 'serving', 'serving-names'].map((name) => `${signing}/${name}`),
  },
  {
    name: 'clients and others are signed',
    steps: [
      request('client', 'client', 'kube-apiserver-client', { ...clientUsages, expirationSeconds: 7200 }),
      request('client-long', 'client', 'kube-apiserver-client', {
        usages: ['client auth'],
        expirationSeconds: 99_999_999,
      }),
      request('client-usages', 'client', 'kube-apiserver-client', { usages: ['client auth', 'server auth'] }),
      request('names', 'legacy', 'kube-apiserver-client', { usages: ['client auth'], expirationSeconds: 600 }),
      request('nobody', 'nosubject', 'kube-apiserver-client', { usages: ['client auth', 'digital signature'] }),
      request('pending', 'client', 'kube-apiserver-client', clientUsages),
      ...['client', 'client-long', 'client-usages', 'names', 'nobody'].map(approve),
    ],
    reads: ['client', 'client-long', 'client-usages', 'names', 'nobody', 'pending'].map((name) => `${signing}/${name}`),
  },
];

const claim = (name: string): object => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
});
const bound = { status: { phase: 'Bound' } };
const podWith = (name: string, volume: object, more: object = {}): object => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], volumes: [{ name: 'v', ...volume }], ...more },
});
const uses = (claimName: string): object => ({ persistentVolumeClaim: { claimName } });

export const objectScripts: readonly Script[] = [
  {
    name: 'claims that pods use, or not',
    steps: [
      space('claims'),
      ...['idle', 'used', 'was-used', 'pending', 'ended'].map((name) =>
        post(inSpace('claims', 'persistentvolumeclaims'), claim(name)),
      ),
      post(inSpace('claims', 'pods'), podWith('user', uses('used'))),
      post(inSpace('claims', 'pods'), podWith('former', uses('was-used'))),
      post(inSpace('claims', 'pods'), podWith('ended', uses('ended'))),
      patch(inSpace('claims', 'pods/ended/status'), { status: { phase: 'Succeeded' } }),
      ...['idle', 'used', 'was-used', 'ended'].map((name) =>
        patch(inSpace('claims', `persistentvolumeclaims/${name}/status`), bound),
      ),
      { pauseMs: 500 },
      remove(inSpace('claims', 'pods/former?gracePeriodSeconds=0')),
    ],
    reads: [inSpace('claims', 'persistentvolumeclaims')],
  },
  {
    name: 'claims that go',
    steps: [
      space('leaving'),
      ...['free', 'held', 'unscheduled'].map((name) => post(inSpace('leaving', 'persistentvolumeclaims'), claim(name))),
      post(inSpace('leaving', 'pods'), podWith('holder', uses('held'), { nodeName: 'nowhere' })),
      post(inSpace('leaving', 'pods'), podWith('waiting', uses('unscheduled'))),
      { pauseMs: 300 },
      ...['free', 'held', 'unscheduled'].map((name) => remove(inSpace('leaving', `persistentvolumeclaims/${name}`))),
    ],
    reads: ['free', 'held', 'unscheduled'].map((name) => inSpace('leaving', `persistentvolumeclaims/${name}`)),
  },
  {
    name: 'nodes are told how long to keep what they read',
    steps: [post(`${core}/nodes`, { metadata: { name: 'small' } })],
    reads: [`${core}/nodes/small`],
  },
];
