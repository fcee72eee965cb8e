import type { AuthorizationAttributes } from '../api/authorization.ts';

/** What those without credentials may read: health, readiness and version (the reference's system:public-info-viewer). */
const publicPaths: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz', '/version', '/version/']);
const publicPrefixes: readonly string[] = ['/healthz/', '/livez/', '/readyz/'];

/** Whether a path is read that anybody may read. */
export function isPublicRead({ isResourceRequest, path, verb }: AuthorizationAttributes): boolean {
  const isPublic = publicPaths.has(path) || publicPrefixes.some((prefix) => path.startsWith(prefix));
  return !isResourceRequest && isPublic && (verb === 'get' || verb === 'head');
}
