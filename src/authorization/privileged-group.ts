import type { AuthorizationResult, Authorizer } from '../api/contracts/authorization.ts';

const allowed: AuthorizationResult = { decision: 'allow', reason: '' };
const noOpinion: AuthorizationResult = { decision: 'no-opinion', reason: '' };

/** `system:masters` bypasses authorization. */
export const privilegedGroup: Authorizer = {
  authorize: ({ user }) => (user.groups.includes('system:masters') ? allowed : noOpinion),
};
