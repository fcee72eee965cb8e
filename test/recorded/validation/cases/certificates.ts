import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { JsonObject } from '../../../../src/api/json/json.ts';
import type { KindCases, Mutation } from '../case.ts';
import { values } from './values.ts';

const apiVersion = 'certificates.k8s.io/v1';

function input(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, '../inputs', name));
}

const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');
const pem = (name: string): string => input(name).toString();
/** The DER contents of a PEM file. */
const der = (name: string): Buffer => Buffer.from(pem(name).replaceAll(/-----.*-----|\n/g, ''), 'base64');
const block = (bytes: Buffer, type = 'CERTIFICATE REQUEST'): string =>
  `-----BEGIN ${type}-----\n${bytes.toString('base64')}\n-----END ${type}-----\n`;

/** A copy with one byte changed. */
function changed(bytes: Buffer, offset: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[offset < 0 ? copy.length + offset : offset] = value;
  return copy;
}

const requestFiles =
  'rsa p384 p224 secp256k1 ed25519 ed448 rsa512 rsa3072 sha1 md5 pss pss20 alt-names bad-uri masters';
const rsa = der('rsa.csr');
const ec = der('ec.csr');

const texts: readonly string[] = [
  ...requestFiles.split(' ').map((name) => pem(`${name}.csr`)),
  'x',
  pem('authority.crt'),
  pem('rsa.csr').replace('-----BEGIN', '----BEGIN'),
  pem('rsa.csr').replace('-----END', ' -----END'),
  pem('rsa.csr').trimEnd(),
  pem('rsa.csr').replaceAll('\n', '\r\n'),
  pem('rsa.csr').replaceAll('CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST'),
  pem('rsa.csr').replace('REQUEST-----\n', 'REQUEST-----\nA: b\n\n'),
  `a: b\nzzz\n${pem('ec.csr')}`,
  `${pem('authority.crt')}${pem('ec.csr')}`,
  `${pem('ec.csr').replace('MI', 'M%')}${pem('rsa.csr')}`,
  `-----BEGIN CERTIFICATE REQUEST-----\n${pem('rsa.csr')}`,
  '-----BEGIN CERTIFICATE REQUEST-----\n-----END CERTIFICATE REQUEST-----\n',
  block(Buffer.alloc(0)),
  block(Buffer.from([0])),
  block(Buffer.from('hello')),
  block(Buffer.from([0x30, 0x80])),
  block(Buffer.from([0x30, 0x81, 0x01, 0x00])),
  block(Buffer.from([0x30, 0x82, 0x00, 0x80])),
  block(Buffer.from([0x30, 0x03, 0x02, 0x01, 0x00])),
  block(Buffer.from([0x30, 0x02, 0x30, 0x00])),
  block(Buffer.from([0x3f, 0x81])),
  block(rsa.subarray(0, -1)),
  block(Buffer.concat([rsa, Buffer.from([0])])),
  block(changed(rsa, -1, 0)),
  block(changed(ec, -1, 0)),
  block(changed(der('ed25519.csr'), -1, 0)),
  block(changed(rsa, 8, 0x03)),
  block(changed(rsa, 9, 0x02)),
  block(changed(rsa, 11, 0x31)),
  block(changed(rsa, 13, 0x30)),
  block(changed(rsa, 17, 0x05)),
  block(changed(rsa, 22, 0x13)),
  block(changed(rsa, 26, 0xff)),
  block(changed(rsa, 64, 0x31)),
  block(changed(rsa, 66, 0x05)),
  block(changed(rsa, 77, 0x04)),
  block(changed(rsa, 79, 0x04)),
  block(changed(rsa, 83, 0x09)),
  block(changed(rsa, 84, 0x31)),
  block(changed(rsa, 358, 0x05)),
  block(changed(rsa, 371, 0x02)),
  block(der('authority.crt')),
];

const requests = values('spec.request', ...texts.map(base64), undefined, null, '%%');

const usages = ['digital signature', 'key encipherment', 'client auth'];
const spec = { request: base64(pem('ec.csr')), signerName: 'example.com/signer', usages };

const creations: readonly Mutation[] = [
  {},
  ...requests,
  ...values('metadata.name', 'A b', 'a/b', '..', 'x'.repeat(254)),
  ...values('metadata.finalizers', ['a']),
  ...values('spec.usages', [], undefined, ['x'], ['any', 'any'], ['s/mime', 'netscape sgc', 'x', 'x']),
  ...values('spec.signerName', '', undefined, 'x', 'a/b', 'a.b/c/d', 'A.b/c', 'a.b/C', '-a.b/c', 'a.b/c.'),
  ...values('spec.signerName', `${'a'.repeat(254)}.b/c`, `a.b/${'c'.repeat(600)}`),
  ...['legacy-unknown', 'kube-apiserver-client', 'kube-apiserver-client-kubelet', 'kubelet-serving', 'x'].flatMap(
    (name) => values('spec.signerName', `kubernetes.io/${name}`),
  ),
  { 'spec.signerName': 'kubernetes.io/kube-apiserver-client', 'spec.request': base64(pem('masters.csr')) },
  { 'spec.signerName': 'kubernetes.io/kube-apiserver-client', 'spec.request': base64('x') },
  ...values('spec.expirationSeconds', 599, 600, 0, -1, 2147483648),
  { 'spec.username': 'a', 'spec.groups': ['b'], 'spec.uid': 'c', 'spec.extra': { d: ['e'] } },
  ...values('status', { conditions: [{ type: 'Approved', status: 'True' }], certificate: 'AAAA' }),
  ...values('spec', {}, undefined),
];

const conditionLists = [
  [],
  [{ type: 'Approved' }],
  [{ type: 'Approved', status: 'True', reason: 'a', message: 'b' }],
  [{ type: 'Approved', status: 'False' }],
  [{ type: 'Denied', status: 'True' }],
  [{ type: 'Failed', status: 'Unknown' }],
  [{ type: 'Failed', status: 'True' }],
  [{ status: 'True' }],
  [{ type: 'x', status: 'y' }],
  [{ type: 'x', status: 'False' }],
  [{ type: 'x', status: 'Unknown', lastUpdateTime: '2020-01-01T00:00:00Z' }],
  [
    { type: 'x', status: 'True' },
    { type: 'x', status: 'True' },
  ],
  [
    { type: 'Approved', status: 'True' },
    { type: 'Denied', status: 'True' },
  ],
  [
    { type: 'Denied', status: 'True' },
    { type: 'Approved', status: 'True' },
    { type: 'Approved', status: 'True' },
  ],
];

const certificates = [
  'x',
  pem('authority.crt'),
  `${pem('leaf.crt')}\ntext\n${pem('authority.crt')}`,
  pem('ec.csr'),
  `${pem('leaf.crt')}${pem('ec.csr')}`,
  pem('leaf.crt').replace('CATE-----\n', 'CATE-----\nA: b\n\n'),
  block(Buffer.alloc(0), 'CERTIFICATE'),
  block(Buffer.concat([der('leaf.crt'), der('authority.crt')]), 'CERTIFICATE'),
  ...[
    Buffer.from('hello'),
    der('leaf.crt').subarray(0, -1),
    Buffer.concat([der('leaf.crt'), Buffer.from([0])]),
    ec,
    ...[4, 8, 12, 13, 33, 35, 45, 46].map((offset) => changed(der('leaf.crt'), offset, 0x09)),
    ...[60, 75, 77, 100, 120, 130].map((offset) => changed(der('leaf.crt'), offset, 0xff)),
  ].map((bytes) => block(bytes, 'CERTIFICATE')),
];

const metadata = { 'metadata.labels': { a: 'b' }, 'metadata.annotations': { a: 'b' } };
const statuses: readonly Mutation[] = [
  {},
  metadata,
  { 'spec.usages': [], 'metadata.resourceVersion': undefined },
  ...values('status.conditions', ...conditionLists),
  ...values('status.certificate', ...certificates.map(base64)),
  ...values('status', undefined),
];

function requestCases(name: string, more: Pick<KindCases, 'create' | 'prepared'>): KindCases {
  return {
    resource: `${apiVersion}/certificatesigningrequests`,
    clusterScoped: true,
    base: { apiVersion, kind: 'CertificateSigningRequest', metadata: { name }, spec },
    createWith: { 'metadata.name': 'created' },
    update: [
      ...statuses.slice(0, 4),
      metadata,
      ...values('metadata.finalizers', ['a']),
      ...values('spec', {}, undefined),
    ],
    status: statuses,
    subresources: { approval: statuses.slice(0, 20) },
    ...more,
  };
}

const approved = { 'status.conditions': [{ type: 'Approved', status: 'True', reason: 'r', message: 'm' }] };

export const signingRequestCases: readonly KindCases[] = [
  requestCases('recorded', { create: creations }),
  requestCases('recorded-approved', { prepared: [['approval', approved]] }),
  requestCases('recorded-issued', {
    prepared: [
      ['approval', approved],
      ['status', { 'status.certificate': base64(pem('leaf.crt')) }],
    ],
  }),
];

const anchors = pem('authority.crt');
const withHeaders = anchors.replace('CATE-----\n', 'CATE-----\nA: b\n\n');
const bundleTexts: readonly string[] = [
  '',
  'x',
  pem('other-authority.crt'),
  `${anchors}${anchors}${pem('other-authority.crt')}`,
  `text\n${anchors}${pem('ec.csr')}${pem('leaf.crt')}${pem('plain.crt')}${withHeaders}`,
  block(Buffer.from('hello'), 'CERTIFICATE'),
  'x'.repeat(1024 * 1024 + 1),
];
const named = (name: string, signerName?: string): Mutation => ({
  'metadata.name': name,
  'spec.signerName': signerName,
});

function bundleCases(name: string, bundle: JsonObject): KindCases {
  return {
    resource: `${apiVersion}/clustertrustbundles`,
    clusterScoped: true,
    base: { apiVersion, kind: 'ClusterTrustBundle', metadata: { name }, spec: { trustBundle: anchors, ...bundle } },
    createWith: { 'metadata.name': `${name}x` },
    create: [
      {},
      named('a:b'),
      named('A b'),
      named('a', 'a.b/c'),
      named('a.b:c:d', 'a.b/c'),
      named('a.b:c:A b', 'a.b/c'),
      named('x:d', 'x'),
      named('a.b:c:', 'a.b/c'),
      ...values('metadata.finalizers', ['x']),
      ...values('spec.trustBundle', ...bundleTexts),
      ...values('spec', {}, undefined),
    ],
    update: [
      {},
      { 'metadata.resourceVersion': undefined },
      ...values('metadata.finalizers', ['x']),
      ...values('spec.signerName', 'x.y/z', undefined),
      ...values('spec.trustBundle', ...bundleTexts.slice(0, 5)),
    ],
  };
}

const uid = 'pod-uid';
const encoded = (name: string): string => base64(der(name));
const podSpec: JsonObject = {
  signerName: 'example.com/signer',
  podName: 'p',
  podUID: uid,
  serviceAccountName: 's',
  serviceAccountUID: 'su',
  nodeName: 'n',
  nodeUID: 'nu',
  maxExpirationSeconds: 86400,
  stubPKCS10Request: encoded('ec.csr'),
};
const stub = (value: string): Mutation => ({ 'spec.stubPKCS10Request': value });
const own = (...names: readonly string[]): Mutation[] =>
  names.flatMap((name) => values(`spec.${name}`, 'A b', '', 'x'.repeat(129), undefined));

const podCreations: readonly Mutation[] = [
  {},
  ...values('spec', {}),
  ...values('metadata.finalizers', ['x']),
  ...own('signerName', 'podName', 'podUID', 'serviceAccountName', 'serviceAccountUID', 'nodeName', 'nodeUID'),
  ...values('spec.maxExpirationSeconds', undefined, 0, 3599, 3600, 7862400, 7862401),
  { 'spec.signerName': 'kubernetes.io/x', 'spec.maxExpirationSeconds': 86401 },
  { 'spec.signerName': 'a.kubernetes.io/x', 'spec.maxExpirationSeconds': 86400 },
  ...['a', 'a.b/c', 'A.b/C', 'a b', 'a/b/c'].flatMap((name) =>
    values('spec.unverifiedUserAnnotations', { [name]: 'x' }),
  ),
  ...values('spec.stubPKCS10Request', undefined),
  ...requestFiles.split(' ').map((name) => stub(encoded(`${name}.csr`))),
  ...[base64('x'), base64('x'.repeat(10 * 1024 + 1)), base64(changed(der('ec.csr'), -1, 0))].map(stub),
];

const at = { lastTransitionTime: '2026-01-01T00:00:00Z', reason: 'r', message: 'm' };
const outcome = (type: string, status = 'True'): JsonObject => ({ type, status, ...at });
const podStatuses: readonly Mutation[] = [
  {},
  { 'metadata.labels': { a: 'b' }, spec: {} },
  ...values(
    'status',
    {},
    { conditions: [] },
    { conditions: [{ type: 'Issued' }] },
    { conditions: [outcome('x')] },
    { conditions: [outcome('Denied', 'False')] },
    { conditions: [outcome('Denied'), outcome('Failed')] },
    { conditions: [outcome('Denied')] },
    { conditions: [outcome('Denied')], certificateChain: 'x' },
    { conditions: [outcome('Failed')], notBefore: at.lastTransitionTime },
    { certificateChain: 'x' },
    { conditions: [outcome('Issued')] },
    { conditions: [outcome('Issued')], certificateChain: pem('ec.csr') },
    { conditions: [outcome('Issued')], certificateChain: block(Buffer.from('x'), 'CERTIFICATE') },
    { conditions: [outcome('Issued')], certificateChain: pem('other-authority.crt') },
    { conditions: [outcome('Issued')], certificateChain: pem('leaf.crt') },
    { conditions: [outcome('Issued')], certificateChain: 'x'.repeat(100 * 1024 + 1) },
    {
      conditions: [outcome('Issued')],
      certificateChain: pem('leaf.crt'),
      notBefore: at.lastTransitionTime,
      notAfter: at.lastTransitionTime,
      beginRefreshAt: at.lastTransitionTime,
    },
  ),
];

function podCertificateCases(name: string, more: Partial<KindCases>): KindCases {
  return {
    resource: `${apiVersion}/podcertificaterequests`,
    base: { apiVersion, kind: 'PodCertificateRequest', metadata: { name }, spec: podSpec },
    createWith: { 'metadata.name': 'created' },
    status: podStatuses,
    ...more,
  };
}

const migration = 'storagemigration.k8s.io/v1';

export const certificateCases: readonly KindCases[] = [
  bundleCases('recorded', {}),
  bundleCases('example.com:signer:recorded', { signerName: 'example.com/signer' }),
  podCertificateCases('recorded', {
    create: podCreations,
    update: [
      {},
      ...values('metadata.finalizers', ['x']),
      ...values('spec.podName', 'q'),
      ...values('spec', {}),
      ...podStatuses.slice(2, 4),
    ],
  }),
  podCertificateCases('recorded-denied', { prepared: [['status', { status: { conditions: [outcome('Denied')] } }]] }),
];

export const migrationCases: readonly KindCases[] = [
  {
    resource: `${migration}/storageversionmigrations`,
    clusterScoped: true,
    base: {
      apiVersion: migration,
      kind: 'StorageVersionMigration',
      metadata: { name: 'recorded' },
      spec: { resource: { group: 'apps', resource: 'deployments' } },
    },
    createWith: { 'metadata.name': 'created' },
    prepared: [['status', { status: { resourceVersion: '5', conditions: [outcome('Succeeded')] } }]],
    create: [
      {},
      ...values('metadata.name', 'A b'),
      ...values('metadata.finalizers', ['x']),
      ...values('spec', {}, undefined),
      ...values(
        'spec.resource',
        {},
        { resource: 'A b' },
        { resource: '1a' },
        { resource: 'a', group: 'A b' },
        { resource: 'a', group: '' },
      ),
    ],
    update: [
      {},
      { 'metadata.resourceVersion': undefined },
      ...values('metadata.finalizers', ['x']),
      ...values('spec.resource', { resource: 'a' }, { resource: 'A', group: 'B' }),
    ],
    status: [
      {},
      { 'metadata.labels': { a: 'b' }, 'spec.resource': { resource: 'x' } },
      ...values('status.resourceVersion', '6', '', 'x', undefined),
      ...values(
        'status.conditions',
        [outcome('Failed')],
        [outcome('Succeeded'), outcome('Failed')],
        [{}],
        [outcome('Succeeded'), outcome('Running', 'x')],
      ),
    ],
  },
];
