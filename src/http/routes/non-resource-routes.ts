import type { Catalogue } from '../../catalogue/catalogue.ts';
import { isUnstructuredKind } from '../../schema/unstructured.ts';
import { pathNotFound } from '../../api/errors/status-errors.ts';
import { respondText } from '../responses/respond.ts';
import type { CountedPath } from '../request/counted-as.ts';
import type { RequestContext } from '../request/request-context.ts';

/** Serves a non-resource path. */
export type PathHandler = (context: RequestContext) => void | Promise<void>;

/** Counts the requests for a path in metrics. */
export function counted(countedAs: CountedPath, handle: PathHandler): PathHandler {
  return (context) => {
    context.countedAs = countedAs;
    return handle(context);
  };
}

/** Exact paths, and path prefixes (the longest match wins). */
export interface PathRoutes {
  readonly exact: ReadonlyMap<string, PathHandler>;
  readonly prefixes: readonly { readonly prefix: string; readonly handle: PathHandler }[];
}

/** What the reference's router serves at a path, with and without a slash at the end. */
export interface PathService {
  readonly path: string;
  readonly handle: PathHandler;
}

/** Paths below one of a service are refused with a Status, like those of APIs. */
export function serviceRoutes(services: readonly PathService[]): {
  readonly exact: readonly (readonly [string, PathHandler])[];
  readonly prefixes: PathRoutes['prefixes'];
} {
  return {
    exact: services.flatMap(({ path, handle }) => [[path, handle] as const, [`${path}/`, handle] as const]),
    prefixes: services.map(({ path }) => ({ prefix: `${path}/`, handle: refusePath })),
  };
}

function refusePath(): never {
  throw pathNotFound();
}

/** Whether no route has such a path, although it would be one without its empty segments. */
export function isUnrouted({ path }: Pick<RequestContext, 'path'>): boolean {
  return path.startsWith('//') || path.startsWith('/apis//');
}

/** Serves a path, or responds with a plain 404 page. */
export async function servePath(context: RequestContext, { exact, prefixes }: PathRoutes): Promise<void> {
  const { path } = context;
  const handle = isUnrouted(context) ? undefined : (exact.get(path) ?? longest(prefixes, path));
  if (handle === undefined) notFoundPage(context);
  else await handle(context);
}

function longest(prefixes: PathRoutes['prefixes'], path: string): PathHandler | undefined {
  let found: { readonly prefix: string; readonly handle: PathHandler } | undefined;
  for (const candidate of prefixes) {
    if (!path.startsWith(candidate.prefix)) continue;
    if (found === undefined || candidate.prefix.length > found.prefix.length) found = candidate;
  }
  return found?.handle;
}

export function notFoundPage(context: RequestContext): void {
  respondText(context, 404, '404 page not found\n');
}

/** Whether missing paths of a group get the plain 404 page; for built-in groups it is a Status. */
export function hasPagesForMissing(catalogue: Catalogue, group: string): boolean {
  const [first] = catalogue.group(group)?.versions[0]?.resources ?? [];
  return first === undefined || isUnstructuredKind(first);
}

/** Whether a served version is that of custom resources. */
export function isCustomVersion(catalogue: Catalogue, group: string, version: string): boolean {
  const [first] = catalogue.group(group)?.version(version)?.resources ?? [];
  return first !== undefined && isUnstructuredKind(first);
}
