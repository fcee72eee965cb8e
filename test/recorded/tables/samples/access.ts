import type { JsonObject } from '../../../../src/api/json/json.ts';
import { ago, minute, samplesOf } from '../sample.ts';

const certificateRequest =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlHUE1FTUNBUUF3RURFT01Bd0dBMVVFQXd3RllXeHBZMlV3S2pBRkJnTXJaWEFESVFDQS9VbU9vbzRCT3RHWAp5SHN3M3RnbFNXWE1NdVNVelY2aG0wZm9YWWtYYjZBQU1BVUdBeXRsY0FOQkFNRlRCUExHNGdVeGk0em5OUDJJCmlMblYwVlhZQ2VFVVJUVVc5cVZhV2JLeHVueGloMTErR1RpVk9XaENjekVScFg5bzFXMzZCYVpSNk9tTWhKV3QKMkFBPQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K';
const podRequest =
  'MH8wMwIBADAAMCowBQYDK2VwAyEAgP1JjqKOATrRl8h7MN7YJUllzDLklM1eoZtH6F2JF2+gADAFBgMrZXADQQA4PVNb9s+N4JpcVaey71YQpYN7A0Qe+540xjxLsDPYKivrjuu1wlvaMxOgiqyOnxV5N2HS9y0ElzpV/1gOG2QE';
const certificate = `-----BEGIN CERTIFICATE-----
MIIBLjCB4aADAgECAhQ9OX0IU1VkedZesmLiFMWAT+5w8jAFBgMrZXAwDDEKMAgG
A1UEAwwBcjAgFw0yNjExMjEwNzIxMTdaGA8yMTA5MDExMDA3MjExN1owDDEKMAgG
A1UEAwwBcjAqMAUGAytlcAMhAID9SY6ijgE60ZfIezDe2CVJZcwy5JTNXqGbR+hd
iRdvo1MwUTAdBgNVHQ4EFgQUUJXzfG7L7yXATlN/rWlrK28DJUMwHwYDVR0jBBgw
FoAUUJXzfG7L7yXATlN/rWlrK28DJUMwDwYDVR0TAQH/BAUwAwEB/zAFBgMrZXAD
QQBSZ7834xfHm3cMbyOLL5R0tq2k6WU+3ah6B1jqkp+PTGPDsCJh8CL0iBuDTQ9S
oH7XVS75MvbZYYaIPmTV2mwF
-----END CERTIFICATE-----
`;

const signerName = 'example.com/signer';

function csrSpec(spec: JsonObject = {}): JsonObject {
  return { spec: { signerName, usages: ['any'], request: certificateRequest, ...spec } };
}

function decided(type: string, reason = 'Checked'): JsonObject {
  return { type, status: 'True', reason, message: 'decided', lastTransitionTime: ago(minute) };
}

const podRequestSpec = {
  signerName,
  podName: 'web-1',
  podUID: 'pod-uid',
  serviceAccountName: 'web',
  serviceAccountUID: 'account-uid',
  nodeName: 'node-1',
  nodeUID: 'node-uid',
  maxExpirationSeconds: 86_400,
  stubPKCS10Request: podRequest,
};

const subjects = [
  { kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.k8s.io' },
  { kind: 'Group', name: 'admins', apiGroup: 'rbac.authorization.k8s.io' },
  { kind: 'ServiceAccount', name: 'bot', namespace: 'tables' },
  { kind: 'User', name: 'bob', apiGroup: 'rbac.authorization.k8s.io' },
  { kind: 'ServiceAccount', name: 'cd', namespace: 'default' },
];

function roleRef(kind: string): JsonObject {
  return { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: 'view' } };
}

const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];

export const accessSamples = [
  ...samplesOf('certificates.k8s.io/v1/certificatesigningrequests', [
    { body: csrSpec() },
    { body: csrSpec({ expirationSeconds: 7_200 }), approval: [decided('Approved')] },
    { body: csrSpec({ expirationSeconds: 86_400 * 40 }), approval: [decided('Denied')] },
    {
      body: csrSpec(),
      approval: [decided('Approved')],
      status: { certificate: Buffer.from(certificate).toString('base64') },
    },
    {
      body: csrSpec(),
      approval: [decided('Approved')],
      status: { conditions: [decided('Approved'), decided('Failed')] },
    },
  ]),
  ...samplesOf('certificates.k8s.io/v1/clustertrustbundles', [
    { name: 'example.com:signer:a', body: { spec: { signerName, trustBundle: certificate } } },
    { name: 'unsigned', body: { spec: { trustBundle: certificate } } },
  ]),
  ...samplesOf('certificates.k8s.io/v1/podcertificaterequests', [
    { body: { spec: podRequestSpec } },
    {
      body: { spec: { ...podRequestSpec, unverifiedUserAnnotations: { 'example.com/b': '2', 'example.com/a': '1' } } },
      status: { conditions: [decided('Denied')] },
    },
    { body: { spec: podRequestSpec }, status: { conditions: [decided('Failed')] } },
  ]),
  ...samplesOf('rbac.authorization.k8s.io/v1/rolebindings', [
    { body: roleRef('Role') },
    { body: { ...roleRef('ClusterRole'), subjects } },
  ]),
  ...samplesOf('rbac.authorization.k8s.io/v1/clusterrolebindings', [
    { body: roleRef('ClusterRole') },
    { body: { ...roleRef('ClusterRole'), subjects } },
  ]),
  ...samplesOf('rbac.authorization.k8s.io/v1/roles', [{ body: { rules } }]),
  ...samplesOf('rbac.authorization.k8s.io/v1/clusterroles', [{ body: { rules } }]),
];
