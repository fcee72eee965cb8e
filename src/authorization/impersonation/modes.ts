import type { AuthorizationAttributes } from '../../api/authorization.ts';
import type { UserInfo } from '../../api/user.ts';
import { accountOfUser, nodeOfUser } from './user-names.ts';

/**
 * A way to be allowed to impersonate. The constrained ones ask two things: may the requester be such a user (`impersonate:MODE`), and may he
 * do what he asks for as such a user (`impersonate-on:MODE:VERB`)? The old one asks only the first (`impersonate`), and gives all rights of that user.
 */
export interface ImpersonationMode {
  /** The verb of the questions about the user. */
  readonly verb: string;
  /** Prefix of the verb of the question about the request; undefined: there is none. */
  readonly onRequest: string | undefined;
  readonly appliesTo: (wanted: UserInfo, requester: UserInfo) => boolean;
  /** What the authorizer is asked instead. */
  readonly ask?: (attributes: AuthorizationAttributes) => AuthorizationAttributes;
}

function constrained(
  name: string,
  appliesTo: ImpersonationMode['appliesTo'],
  ask?: ImpersonationMode['ask'],
): ImpersonationMode {
  const verbs = { verb: `impersonate:${name}`, onRequest: `impersonate-on:${name}:` };
  return { ...verbs, appliesTo, ...(ask === undefined ? {} : { ask }) };
}

const nodeNameKey = 'authentication.kubernetes.io/node-name';

/** In the order in which they are tried. */
export const impersonationModes: readonly ImpersonationMode[] = [
  constrained('associated-node', isOwnNode, ofAnyNode),
  constrained('arbitrary-node', (wanted) => hasNameOnly(wanted) && nodeOfUser(wanted.name) !== undefined),
  constrained('serviceaccount', (wanted) => hasNameOnly(wanted) && accountOfUser(wanted.name) !== undefined),
  constrained('user-info', ({ name }) => nodeOfUser(name) === undefined && accountOfUser(name) === undefined),
  { verb: 'impersonate', onRequest: undefined, appliesTo: () => true },
];

export const oldModes: readonly ImpersonationMode[] = impersonationModes.filter(
  ({ onRequest }) => onRequest === undefined,
);

function hasNameOnly({ uid, groups, extra }: UserInfo): boolean {
  return uid === '' && groups.length === 0 && Object.keys(extra).length === 0;
}

/** A service account, by a token that is bound to a pod, wants to be the node of that pod. */
function isOwnNode(wanted: UserInfo, requester: UserInfo): boolean {
  const node = nodeOfUser(wanted.name);
  if (!hasNameOnly(wanted) || node === undefined || accountOfUser(requester.name) === undefined) return false;
  const values = requester.extra[nodeNameKey] ?? [];
  return values.length === 1 && values[0] === node;
}

/** Asked for all nodes at once, and without what differs from node to node. */
function ofAnyNode(attributes: AuthorizationAttributes): AuthorizationAttributes {
  const { user, verb, name } = attributes;
  const keys = Object.keys(user.extra).toSorted();
  return {
    ...attributes,
    user: { ...user, extra: { 'authentication.kubernetes.io/associated-node-keys': keys } },
    name: verb === 'impersonate:associated-node' ? '*' : name,
  };
}
