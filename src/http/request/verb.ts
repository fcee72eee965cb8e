/**
 * The paths of a resource: one object, a collection in a namespace or cluster-scoped, a collection across all
 * namespaces.
 */
export type VerbPath = 'object' | 'collection' | 'all-namespaces';

/** The properties of a verb (`get`, `create` ...), apart from its handler. */
export interface Verb {
  readonly name: string;
  /** The HTTP methods that mean it; empty for verbs derived from the path or query, such as `list` and `watch`. */
  readonly methods: readonly string[];
  readonly paths: readonly VerbPath[];
  /** Further ones of custom resources: the reference has no routes for them, so that a name may be missing or given. */
  readonly pathsOfCustom?: readonly VerbPath[];
  /** Its name in metrics. */
  readonly metric: string;
  /** Its name in traces and in the log; absent: it is in neither. */
  readonly title?: string;
  readonly isMutating: boolean;
  /** Responses last as long as the client wants: no deadline, and not counted among requests in flight. */
  readonly isLongRunning: boolean;
}

/** Verbs by name. */
export type Verbs = ReadonlyMap<string, Verb>;

/** Subresources that stream, whatever the verb. */
const longRunningSubresources: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

export function isLongRunning(verb: Verb | undefined, subresource: string): boolean {
  return verb?.isLongRunning === true || longRunningSubresources.has(subresource);
}
