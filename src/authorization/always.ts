import type { AuthorizationResult, Authorizer } from '../api/authorization.ts';
import { anonymousUser } from '../api/user.ts';
import { isPublicRead } from './public-paths.ts';

const allowed: AuthorizationResult = { decision: 'allow', reason: '' };
const denied: AuthorizationResult = { decision: 'deny', reason: '' };

/**
 * `--authorization-mode=AlwaysAllow`: everything to everybody who is authenticated. The anonymous may read health and version; the reference
 * takes no anonymous requests in this mode.
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

/** `--authorization-mode=AlwaysDeny`: no opinion about anything, so that another mode may still allow it. */
export const alwaysDeny: Authorizer = {
  authorize: () => ({ decision: 'no-opinion', reason: 'Everything is forbidden.' }),
};
