import { profilesFolder } from '../../profiling/profiles-folder.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { PathHandler, PathRoutes } from './non-resource-routes.ts';

/** Profiles of this process, in the format of pprof. Profilers are loaded when they are asked for. */
export function profileRoutes(): Pick<PathRoutes, 'prefixes'> & { readonly exact: readonly [string, PathHandler][] } {
  return {
    exact: [[profilesFolder.slice(0, -1), respondProfile]],
    prefixes: [{ prefix: profilesFolder, handle: respondProfile }],
  };
}

async function respondProfile(context: RequestContext): Promise<void> {
  const { exchange, path, query } = context;
  const { profilePage } = await import('../../profiling/pages.ts');
  const leaving = new AbortController();
  exchange.onClose(() => leaving.abort());
  const { status, headers, body } = await profilePage({ method: exchange.method, path, query, left: leaving.signal });
  exchange.respond(status, { ...headers, ...context.commonHeaders }, body);
}
