import type { AuthorizationAttributes, AuthorizationResult, Authorizer } from '../api/authorization.ts';

/** Asks in order; the first that has an opinion decides. The reasons of those that had none are joined. */
export function unionAuthorizer(authorizers: readonly Authorizer[]): Authorizer {
  return {
    async authorize(attributes: AuthorizationAttributes): Promise<AuthorizationResult> {
      const reasons: string[] = [];
      for (const authorizer of authorizers) {
        const result = await authorizer.authorize(attributes);
        if (result.decision !== 'no-opinion') return result;
        if (result.reason !== '') reasons.push(result.reason);
      }
      return { decision: 'no-opinion', reason: reasons.join('\n') };
    },
  };
}
