import type { AuthorizationResult, Authorizer } from '../api/contracts/authorization.ts';
import { anonymousUser } from '../api/contracts/user.ts';
import { isPublicRead } from './public-paths.ts';

const allowed: AuthorizationResult = { decision: 'allow', reason: '' };
const denied: AuthorizationResult = { decision: 'deny', reason: '' };

/**
 * `--authorization-mode=AlwaysAllow`: everything is allowed to authenticated users. Anonymous users may read health and
 * version: of anything else they are answered 401 unless a configuration file admits them.
 */
export const alwaysAllow: Authorizer = {
  authorize: (attributes) =>
    attributes.user.name !== anonymousUser.name || isPublicRead(attributes) ? allowed : denied,
  rulesOf: () => ({
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
    errors: [],
  }),
};

/** `--authorization-mode=AlwaysDeny`: no opinion, so that another mode may still allow the request. */
export const alwaysDeny: Authorizer = {
  authorize: () => ({ decision: 'no-opinion', reason: 'Everything is forbidden.' }),
};
