import { dnsLabelErrors, dnsSubdomainErrors } from '../meta/names.ts';

const nodePrefix = 'system:node:';
const accountPrefix = 'system:serviceaccount:';

/** The node in a user name. */
export function nodeOfUser(username: string): string | undefined {
  if (!username.startsWith(nodePrefix)) return undefined;
  const name = username.slice(nodePrefix.length);
  return dnsSubdomainErrors(name).length === 0 ? name : undefined;
}

/** The service account in a user name. */
export function accountOfUser(username: string): { readonly namespace: string; readonly name: string } | undefined {
  if (!username.startsWith(accountPrefix)) return undefined;
  const [namespace = '', name = '', more] = username.slice(accountPrefix.length).split(':');
  const holds = more === undefined && dnsLabelErrors(namespace).length === 0 && dnsSubdomainErrors(name).length === 0;
  return holds ? { namespace, name } : undefined;
}

/** Groups of the service accounts of a namespace. */
export function accountGroups(namespace: string): readonly string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}
