import type { AuthorizationAttributes } from '../../api/contracts/authorization.ts';
import type { UserInfo } from '../../api/contracts/user.ts';
import { accountOfUser, nodeOfUser } from '../../api/contracts/user-names.ts';

/**
 * One mode of impersonation. The constrained modes check two permissions: to impersonate such a user
 * (`impersonate:MODE`), and to perform the request as one (`impersonate-on:MODE:VERB`). The legacy mode checks only
 * `impersonate`, and grants all rights of that user.
 */
export interface ImpersonationMode {
  /** In metrics. */
  readonly name: string;
  /** Verb of the check on the user. */
  readonly verb: string;
  /** Prefix of the verb of the check on the request; undefined: no such check. */
  readonly onRequest: string | undefined;
  readonly appliesTo: (wanted: UserInfo, requester: UserInfo) => boolean;
  /** The attributes to check instead. */
  readonly ask?: (attributes: AuthorizationAttributes) => AuthorizationAttributes;
}

function constrained(
  name: string,
  appliesTo: ImpersonationMode['appliesTo'],
  ask?: ImpersonationMode['ask'],
): ImpersonationMode {
  const named = { name, verb: `impersonate:${name}`, onRequest: `impersonate-on:${name}:` };
  return { ...named, appliesTo, ...(ask === undefined ? {} : { ask }) };
}

const nodeNameKey = 'authentication.kubernetes.io/node-name';

/** In the order in which they are tried. */
export const impersonationModes: readonly ImpersonationMode[] = [
  constrained('associated-node', isOwnNode, ofAnyNode),
  constrained('arbitrary-node', (wanted) => hasNameOnly(wanted) && nodeOfUser(wanted.name) !== undefined),
  constrained('serviceaccount', (wanted) => hasNameOnly(wanted) && accountOfUser(wanted.name) !== undefined),
  constrained('user-info', ({ name }) => nodeOfUser(name) === undefined && accountOfUser(name) === undefined),
  { name: 'legacy', verb: 'impersonate', onRequest: undefined, appliesTo: () => true },
];

export const oldModes: readonly ImpersonationMode[] = impersonationModes.filter(
  ({ onRequest }) => onRequest === undefined,
);

function hasNameOnly({ uid, groups, extra }: UserInfo): boolean {
  return uid === '' && groups.length === 0 && Object.keys(extra).length === 0;
}

/** A service account with a pod-bound token impersonates the node of its pod. */
function isOwnNode(wanted: UserInfo, requester: UserInfo): boolean {
  const node = nodeOfUser(wanted.name);
  if (!hasNameOnly(wanted) || node === undefined || accountOfUser(requester.name) === undefined) return false;
  const values = requester.extra[nodeNameKey] ?? [];
  return values.length === 1 && values[0] === node;
}

/** Checked for all nodes at once, without node-specific attributes. */
function ofAnyNode(attributes: AuthorizationAttributes): AuthorizationAttributes {
  const { user, verb, name } = attributes;
  const keys = Object.keys(user.extra).toSorted();
  return {
    ...attributes,
    user: { ...user, extra: { 'authentication.kubernetes.io/associated-node-keys': keys } },
    name: verb === 'impersonate:associated-node' ? '*' : name,
  };
}
