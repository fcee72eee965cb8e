import { expect, test } from 'vitest';
import { type CertificateRequest } from '../../codec/x509/certificate-request.ts';
import { noAltNames } from '../../codec/x509/extensions.ts';
import { requestChecks } from './request-checks.ts';

const node: CertificateRequest = {
  publicKey: undefined,
  keyInfo: Buffer.alloc(0),
  subject: [],
  organizations: ['system:nodes'],
  commonName: 'system:node:a',
  altNames: noAltNames,
  signatureProblem: undefined,
};
const client = ['digital signature', 'client auth'];
const serving = ['key encipherment', 'digital signature', 'server auth'];
const named = { ...noAltNames, dnsNames: ['a.example'] };

test.for([
  ['kube-apiserver-client-kubelet', node, client, undefined],
  ['kube-apiserver-client-kubelet', node, [...client, 'key encipherment'], undefined],
  ['kube-apiserver-client-kubelet', { ...node, organizations: [] }, client, 'subject organization is not system:nodes'],
  ['kube-apiserver-client-kubelet', { ...node, altNames: named }, client, 'DNS subjectAltNames are not allowed'],
  [
    'kube-apiserver-client-kubelet',
    { ...node, commonName: 'a' },
    client,
    'subject common name does not begin with system:node:',
  ],
  [
    'kube-apiserver-client-kubelet',
    node,
    serving,
    'usages did not match [client auth digital signature key encipherment]',
  ],
  ['kubelet-serving', { ...node, altNames: named }, serving, undefined],
  ['kubelet-serving', node, serving, 'DNS or IP subjectAltName is required'],
  [
    'kubelet-serving',
    { ...node, altNames: { ...named, uris: ['a:b'] } },
    serving,
    'URI subjectAltNames are not allowed',
  ],
  [
    'kubelet-serving',
    { ...node, altNames: named },
    client,
    'usages did not match [digital signature key encipherment server auth]',
  ],
  ['kube-apiserver-client', node, ['client auth'], undefined],
  ['kube-apiserver-client', node, serving, 'invalid usage for client certificate: server auth'],
  ['kube-apiserver-client', node, ['digital signature'], 'missing required usage for client certificate: client auth'],
  ['legacy-unknown', node, serving, undefined],
] as const)('%#: %s', ([signer, request, usages, fault]) => {
  expect(requestChecks.get(`kubernetes.io/${signer}`)?.(request, usages)).toBe(fault);
});
