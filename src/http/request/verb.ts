/** The paths of a resource: one object, the collection in a namespace or of a cluster, the collection across namespaces. */
export type VerbPath = 'object' | 'collection' | 'all-namespaces';

/** What is to be known of a verb (`get`, `create` ...) beside how it is served. */
export interface Verb {
  readonly name: string;
  /** The HTTP methods that mean it; none for verbs that are told by the path or the query, such as `list` and `watch`. */
  readonly methods: readonly string[];
  readonly paths: readonly VerbPath[];
  /** As metrics call it. */
  readonly metric: string;
  readonly isMutating: boolean;
  /** Its answers go on for as long as the client wants: there is no deadline, and no share in counts of requests under way. */
  readonly isLongRunning: boolean;
}

/** Verbs by name. */
export type Verbs = ReadonlyMap<string, Verb>;

/** Subresources whose answers are streams, whatever the verb. */
const longRunningSubresources: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

export function isLongRunning(verb: Verb | undefined, subresource: string): boolean {
  return verb?.isLongRunning === true || longRunningSubresources.has(subresource);
}
