import { formatApiVersion } from '../../api/meta/group-version.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { Resource } from '../../schema/resource.ts';

/** Says that the client has seen all changes up to a revision. */
export class Bookmark {
  readonly revision: number;
  /** The initial events are complete. */
  readonly initialEventsEnd: boolean;

  constructor(revision: number, initialEventsEnd = false) {
    this.revision = revision;
    this.initialEventsEnd = initialEventsEnd;
  }
}

/** Marks the bookmark after the initial events (KEP-3157). */
export const initialEventsEndAnnotation = 'k8s.io/initial-events-end';

/** An object of the kind with only a resourceVersion. */
export function bookmarkObject(
  { group, version, kind }: Resource,
  { revision, initialEventsEnd }: Bookmark,
): KubernetesObject {
  const metadata = {
    resourceVersion: String(revision),
    ...(initialEventsEnd ? { annotations: { [initialEventsEndAnnotation]: 'true' } } : {}),
  };
  return { kind, apiVersion: formatApiVersion(group, version), metadata };
}
