import type { AuthorizationAttributes } from '../api/contracts/authorization.ts';

/** Paths readable without credentials: health, readiness and version (`system:public-info-viewer` in the reference). */
const publicPaths: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz', '/version', '/version/']);
const publicPrefixes: readonly string[] = ['/healthz/', '/livez/', '/readyz/'];

export function isPublicPath(path: string): boolean {
  return publicPaths.has(path) || publicPrefixes.some((prefix) => path.startsWith(prefix));
}

/** Whether the request reads a public path. */
export function isPublicRead({ isResourceRequest, path, verb }: AuthorizationAttributes): boolean {
  return !isResourceRequest && isPublicPath(path) && (verb === 'get' || verb === 'head');
}
