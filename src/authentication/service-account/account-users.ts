import type { UserInfo } from '../../api/user.ts';
import type { BoundReference } from './claims.ts';

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
  id = '',
}: {
  readonly namespace: string;
  readonly account: BoundReference;
  readonly pod?: BoundReference | undefined;
  readonly node?: BoundReference | undefined;
  readonly id?: string;
}): UserInfo {
  const extra: { [name: string]: readonly string[] } = {};
  if (pod !== undefined && pod.name !== '' && pod.uid !== '') {
    extra[key('pod-name')] = [pod.name];
    extra[key('pod-uid')] = [pod.uid];
  }
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
