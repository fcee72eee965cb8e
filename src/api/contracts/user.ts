/** The user of a request (specification, "Identity attributes"). Authentication interprets none of the values. */
export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: { readonly [key: string]: readonly string[] };
}

export const anonymousUser: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: {},
};

/** Authenticators return the same object for the same connection or token. */
const grouped = new WeakMap<UserInfo, UserInfo>();

/** The user with the group `system:authenticated`, which everybody has who is somebody. */
export function authenticatedUser(user: UserInfo): UserInfo {
  const known = grouped.get(user);
  if (known !== undefined) return known;
  const { name, groups } = user;
  const has =
    name === anonymousUser.name || groups.includes('system:authenticated') || groups.includes('system:unauthenticated');
  const result = has ? user : { ...user, groups: [...groups, 'system:authenticated'] };
  grouped.set(user, result);
  return result;
}
