import type { UserInfo } from '../../api/contracts/user.ts';
import { type AccountClaims, type BoundReference, reviewedGroupsKey } from './claims.ts';

const userPrefix = 'system:serviceaccount:';
const key = (name: string): string => `authentication.kubernetes.io/${name}`;

export function accountUserName(namespace: string, name: string): string {
  return `${userPrefix}${namespace}:${name}`;
}

/** The user of a service account, with the objects that its token is bound to. */
export function accountUser({
  namespace,
  account,
  pod,
  node,
  validatingWebhook,
  mutatingWebhook,
  reviewedGroups = [],
  id = '',
}: Pick<AccountClaims, 'namespace' | 'account'> & Partial<AccountClaims>): UserInfo {
  const extra: { [name: string]: readonly string[] } = {
    ...bound('pod', pod),
    ...bound('validatingwebhookconfiguration', validatingWebhook),
    ...bound('mutatingwebhookconfiguration', mutatingWebhook),
  };
  if (reviewedGroups.length > 0)
    extra[`attestation.authentication.kubernetes.io/${reviewedGroupsKey}`] = reviewedGroups;
  if (id !== '') extra[key('credential-id')] = [`JTI=${id}`];
  if (node !== undefined && node.name !== '') {
    extra[key('node-name')] = [node.name];
    if (node.uid !== '') extra[key('node-uid')] = [node.uid];
  }
  return {
    name: accountUserName(namespace, account.name),
    uid: account.uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    extra,
  };
}

/** The extra information about the object that a token is bound to; empty unless its name and uid are known. */
function bound(what: string, reference: BoundReference | undefined): UserInfo['extra'] {
  if (reference === undefined || reference.name === '' || reference.uid === '') return {};
  return { [key(`${what}-name`)]: [reference.name], [key(`${what}-uid`)]: [reference.uid] };
}
