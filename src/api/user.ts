/** Who makes a request (specification, "Identity attributes"). All values are opaque to authentication. */
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

/** The user with `system:authenticated` among its groups, as every authenticated user has. */
export function authenticatedUser(user: UserInfo): UserInfo {
  if (user.groups.includes('system:authenticated')) return user;
  return { ...user, groups: [...user.groups, 'system:authenticated'] };
}
