import type { AuthorizationAttributes, AuthorizationResult, Authorizer } from '../api/authorization.ts';
import { anonymousUser } from '../api/user.ts';

/** What those without credentials may read: health, readiness and version (the reference's system:public-info-viewer). */
const publicPaths: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz', '/version', '/version/']);
const publicPrefixes: readonly string[] = ['/healthz/', '/livez/', '/readyz/'];

/** Confines the anonymous to public paths; has no opinion about everybody else. */
export function anonymousPathsAuthorizer(): Authorizer {
  return {
    authorize({ user, isResourceRequest, path, verb }: AuthorizationAttributes): AuthorizationResult {
      if (user.name !== anonymousUser.name) return { decision: 'no-opinion', reason: '' };
      const isPublic = publicPaths.has(path) || publicPrefixes.some((prefix) => path.startsWith(prefix));
      const allowed = !isResourceRequest && isPublic && (verb === 'get' || verb === 'head');
      return { decision: allowed ? 'allow' : 'deny', reason: '' };
    },
  };
}
