import { configDefaults } from '../../../../src/server/config.ts';
import { inNamespace, patch, post, put, scenario, type Step } from '../../differential/scenario.ts';
import type { Suite } from '../suite.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const bundles = '/apis/certificates.k8s.io/v1beta1/clustertrustbundles';
const root = '/api/v1/namespaces/permissions';

/** Gives somebody rights: verbs, group, resources, names. */
function grant(user: string, ...rules: readonly (readonly [string, string, string, string?])[]): readonly Step[] {
  return [
    post(`role of ${user}`, `${rbac}/clusterroles`, {
      metadata: { name: user },
      rules: rules.map(([verbs, group, resources, names]) => ({
        verbs: verbs.split(','),
        apiGroups: [group],
        resources: resources.split(','),
        ...(names === undefined ? {} : { resourceNames: names.split(',') }),
      })),
    }),
    post(`binding of ${user}`, `${rbac}/clusterrolebindings`, {
      metadata: { name: user },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user },
      subjects: [{ kind: 'User', name: user, apiGroup: 'rbac.authorization.k8s.io' }],
    }),
  ];
}

function as(user: string, step: Step): Step {
  return { ...step, name: `${user}: ${step.name}`, headers: { ...step.headers, 'impersonate-user': user } };
}

const csrRights: readonly [string, string, string] = [
  'get,update,patch',
  'certificates.k8s.io',
  'certificatesigningrequests,certificatesigningrequests/approval,certificatesigningrequests/status',
];
const bundleRights: readonly [string, string, string] = ['*', 'certificates.k8s.io', 'clustertrustbundles'];
const mapRights: readonly [string, string, string] = ['get,create,update,patch', '', 'configmaps'];

const request = `-----BEGIN CERTIFICATE REQUEST-----
MIHMMHQCAQAwEjEQMA4GA1UEAwwHc29tZW9uZTBZMBMGByqGSM49AgEGCCqGSM49
AwEHA0IABDIGNSpKmUclSdKzKU1X+LlViun/fZuhgTJOGnYEAEWA5u2jOfM9jzGs
9mS6t+KrmLSMdtoCEcXWX50bevTSJT+gADAKBggqhkjOPQQDAgNIADBFAiBjfHGG
rzmQgsuPg4Qudy5vUVw0HWin5+rBKnbsu+BINwIhAPWNOGl80f2Xwi8+Gnqqc3Vs
nLCeg3eqbNZWtdPNu2vJ
-----END CERTIFICATE REQUEST-----`;

const authority = `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUfhG5xbsq9J6/+CE+sq4Tx0fi85kwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJYXV0aG9yaXR5MCAXDTI2MTEyMjIxNDU1MloYDzIxMjYxMDI5
MjE0NTUyWjAUMRIwEAYDVQQDDAlhdXRob3JpdHkwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQ/qWDolySt8qGuBcdCuiHzoK0scWJQJ29d3XESZTxkrEgXZjG8OH37
wEe4TpVvgPrSOHc680rqUsYty5/1Q/LYo1MwUTAdBgNVHQ4EFgQUp4QU+gYnBJet
03sqTxPeACABdCAwHwYDVR0jBBgwFoAUp4QU+gYnBJet03sqTxPeACABdCAwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiBgkzN/gZe2knnR/a6GzxCE
hjEKKw3Wxr9dVYmGVDyUawIhAOSBiv54CIc/PLD/1o/5Bwfqfy3Pw2t9G1H3MsyI
xut3
-----END CERTIFICATE-----
`;

const approval = {
  status: { conditions: [{ type: 'Approved', status: 'True', reason: 'r', message: 'm' }] },
};

function approve(name: string): Step {
  return patch(`approve ${name}`, `${requests}/${name}/approval`, { type: 'merge', body: approval });
}

function sign(
  name: string,
  body: object = { status: { conditions: [{ type: 'Failed', status: 'True', reason: 'r' }] } },
): Step {
  return patch(`sign ${name}`, `${requests}/${name}/status`, { type: 'merge', body });
}

const owner = (uid: string, rest: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  name: 'owner',
  uid,
  ...rest,
});

function owned(name: string, ownerReferences: readonly object[], rest: object = {}): object {
  return { metadata: { name, ownerReferences, ...rest } };
}

/** What writing takes beyond the right to write. */
export const permissions: Suite = {
  scenario: scenario('permissions', [
    inNamespace('permissions'),
    ...grant('plain', csrRights, bundleRights, mapRights),
    ...grant('one-signer', csrRights, bundleRights, [
      'approve,sign,attest',
      'certificates.k8s.io',
      'signers',
      'example.com/one',
    ]),
    ...grant('domain', csrRights, bundleRights, [
      'approve,sign,attest',
      'certificates.k8s.io',
      'signers',
      'example.com/*',
    ]),
    ...grant('deleter', ['get,create,update,patch,delete', '', 'configmaps']),
    ...grant('finalizer', ['get,create,update,patch,delete', '', 'configmaps'], ['update', '', 'pods/finalizers']),
    ...grant('anything', ['get,create,update,patch,delete', '', 'configmaps'], ['update', '*', '*/finalizers']),
    ...['one', 'two'].map((name) =>
      post(`request ${name}`, requests, {
        metadata: { name },
        spec: { signerName: `example.com/${name}`, request: btoa(request), usages: ['client auth'] },
      }),
    ),
    ...['plain', 'one-signer', 'domain'].flatMap((user) => [
      as(user, approve('two')),
      as(user, approve('one')),
      as(user, sign('two')),
      as(user, sign('one')),
      as(user, sign('one', { metadata: { labels: { [user]: 'b' } } })),
    ]),
    ...['plain', 'one-signer', 'domain'].flatMap((user) => [
      as(
        user,
        post('bundle of no signer', bundles, { metadata: { name: `${user}-none` }, spec: { trustBundle: authority } }),
      ),
      as(
        user,
        post('bundle of two', bundles, {
          metadata: { name: `example.com:two:${user}` },
          spec: { signerName: 'example.com/two', trustBundle: authority },
        }),
      ),
    ]),

    as('plain', post('owned', `${root}/configmaps`, owned('owned', [owner('u-1')]))),
    as(
      'plain',
      patch('another label', `${root}/configmaps/owned`, { type: 'merge', body: { metadata: { labels: { a: 'b' } } } }),
    ),
    as('plain', put('another owner', `${root}/configmaps/owned`, owned('owned', [owner('u-2')]))),
    as(
      'plain',
      post('blocking', `${root}/configmaps`, owned('blocking', [owner('u-1', { blockOwnerDeletion: true })])),
    ),
    as('deleter', put('another owner', `${root}/configmaps/owned`, owned('owned', [owner('u-2')]))),
    as(
      'deleter',
      put('now blocking', `${root}/configmaps/owned`, owned('owned', [owner('u-2', { blockOwnerDeletion: true })])),
    ),
    as(
      'finalizer',
      put('now blocking', `${root}/configmaps/owned`, owned('owned', [owner('u-2', { blockOwnerDeletion: true })])),
    ),
    as(
      'deleter',
      put(
        'still blocking',
        `${root}/configmaps/owned`,
        owned('owned', [owner('u-2', { blockOwnerDeletion: true }), owner('u-3')]),
      ),
    ),
    as(
      'finalizer',
      post(
        'blocking what is of no kind',
        `${root}/configmaps`,
        owned('b', [owner('u-1', { kind: 'Gizmo', apiVersion: 'example.com/v1', blockOwnerDeletion: true })]),
      ),
    ),
    as(
      'finalizer',
      post(
        'blocking a node',
        `${root}/configmaps`,
        owned('b', [owner('u-1', { kind: 'Node', blockOwnerDeletion: true })]),
      ),
    ),
    as(
      'anything',
      post(
        'blocking anything',
        `${root}/configmaps`,
        owned('b', [owner('u-1', { kind: 'Gizmo', apiVersion: 'example.com/v1', blockOwnerDeletion: true })]),
      ),
    ),
  ]),
  config: {
    admission: { ...configDefaults.admission, enablePlugins: ['OwnerReferencesPermissionEnforcement'] },
    authorization: { ...configDefaults.authorization, modes: ['RBAC'] },
    api: {
      ...configDefaults.api,
      runtimeConfig: new Map([['certificates.k8s.io/v1beta1/clustertrustbundles', true]]),
      featureGates: new Map([['ClusterTrustBundle', true]]),
    },
  },
  flags: [
    '--enable-admission-plugins=OwnerReferencesPermissionEnforcement',
    '--runtime-config=certificates.k8s.io/v1beta1/clustertrustbundles=true',
    '--feature-gates=ClusterTrustBundle=true',
  ],
};
