import type { Authorizer } from '../api/authorization.ts';

/** `--authorization-mode=AlwaysAllow`. */
export const alwaysAllow: Authorizer = { authorize: () => ({ decision: 'allow', reason: '' }) };

/** `--authorization-mode=AlwaysDeny`. */
export const alwaysDeny: Authorizer = {
  authorize: () => ({ decision: 'no-opinion', reason: 'Everything is forbidden.' }),
};
