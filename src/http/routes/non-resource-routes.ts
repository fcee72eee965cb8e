import type { Catalogue } from '../../catalogue/catalogue.ts';
import { isUnstructuredKind } from '../../schema/unstructured.ts';
import { respondText } from '../answers/respond.ts';
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

/** Serves a path, or responds with a plain 404 page. */
export async function servePath(context: RequestContext, { exact, prefixes }: PathRoutes): Promise<void> {
  const { path } = context.exchange;
  const handle = exact.get(path) ?? longest(prefixes, path);
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
