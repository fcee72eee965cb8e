import type { TokenRequest } from './token-client.ts';

/** Users that an administrator impersonates: thirty with few or no rights, each in another way. */
const identities: readonly (readonly [user: string, ...groups: string[]])[] = [
  ['nobody'],
  ['ann', 'devs'],
  ['bob', 'ops', 'qa'],
  ['carol'],
  ['dave', 'system:authenticated'],
  ['eve<b>&', 'a<b>'],
  ['"quoted"'],
  ['back\\slash'],
  ['ünïcode'],
  ['system:anonymous', 'system:unauthenticated'],
  ['system:kube-scheduler'],
  ['system:kube-controller-manager'],
  ['system:kube-proxy'],
  ['system:volume-scheduler'],
  ['x', 'system:monitoring'],
  ['x', 'system:serviceaccounts'],
  ['x', 'system:bootstrappers'],
  ['system:serviceaccount:team:sa'],
  ['system:serviceaccount:team:local'],
  ['system:serviceaccount:team:none'],
  ['system:serviceaccount:default:default'],
  ['system:serviceaccount:kube-system:job-controller'],
  ['system:serviceaccount:kube-system:namespace-controller'],
  ['system:serviceaccount:kube-system:generic-garbage-collector'],
  ['system:serviceaccount:kube-system:token-cleaner'],
  ['system:serviceaccount:kube-system:bootstrap-signer'],
  ['system:serviceaccount:kube-public:x'],
  ['root'],
  ['admin', 'admins'],
  ['a very long name '.repeat(10)],
];

const requests: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/api/v1/namespaces/team/secrets/x'],
  ['GET', '/api/v1/namespaces/team/secrets'],
  ['GET', '/api/v1/secrets?limit=5'],
  ['GET', '/api/v1/namespaces/team/secrets?fieldSelector=metadata.name%3Dx'],
  ['GET', '/api/v1/namespaces/team/secrets?watch=1&timeoutSeconds=1'],
  ['GET', '/api/v1/watch/nodes/x?timeoutSeconds=1'],
  ['HEAD', '/api/v1/namespaces/team/secrets/x'],
  ['POST', '/api/v1/namespaces/team/secrets'],
  ['PUT', '/apis/apps/v1/namespaces/team/deployments/x/scale'],
  ['PATCH', '/api/v1/nodes/x/status'],
  ['DELETE', '/apis/rbac.authorization.k8s.io/v1/clusterroles/x'],
  ['DELETE', '/apis/batch/v1/namespaces/team/jobs'],
  ['POST', '/api/v1/namespaces/team/pods/x/eviction'],
  ['GET', '/apis/example.com/v1/things/x'],
  ['GET', '/nowhere/<b>'],
  ['PUT', '/metrics'],
];

/** Requests of each user; only refusals are comparable, because they have no effect. */
export function refusedRequests(): readonly TokenRequest[] {
  return identities.flatMap(([user, ...groups]) => {
    const bytes = Buffer.from(user.trim()).toString('latin1');
    const headers = { 'impersonate-user': bytes, ...(groups.length === 0 ? {} : { 'impersonate-group': groups }) };
    return requests.map(([method, path]) => ({ method, path, token: 'tok-root', headers }));
  });
}
