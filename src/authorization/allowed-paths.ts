import type { AuthorizationResult, Authorizer } from '../api/contracts/authorization.ts';

const allowed: AuthorizationResult = { decision: 'allow', reason: '' };

/** Allows these paths to everyone and delegates all others. A trailing asterisk matches anything. */
export function allowingPaths(paths: readonly string[], others: Required<Authorizer>): Required<Authorizer> {
  const written = paths.map((path) => path.replace(/^\//, ''));
  const exact = new Set(written.filter((path) => !path.endsWith('*')));
  const prefixes = written.filter((path) => path.endsWith('*')).map((path) => path.slice(0, -1));
  return {
    rulesOf: (user, namespace) => others.rulesOf(user, namespace),
    authorize(attributes) {
      const path = attributes.path.replace(/^\//, '');
      const isAllowed =
        !attributes.isResourceRequest && (exact.has(path) || prefixes.some((each) => path.startsWith(each)));
      return isAllowed ? allowed : others.authorize(attributes);
    },
  };
}
