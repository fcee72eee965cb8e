import type { JsonObject } from '../api/json.ts';
import type { RemoteServer } from '../outgoing/remote-server.ts';
import type { VersionPriority } from './kind-entry.ts';

/**
 * A group version that another server serves, in place of whatever this one has of it. Immutable and compared by
 * identity, like kinds: what has changed is another entry.
 */
export interface RemoteVersion {
  readonly group: string;
  readonly version: string;
  readonly priority: VersionPriority;
  readonly server: RemoteServer;
  /** Whether its server is known to answer. */
  readonly isAvailable: boolean;
  /** Absent until its server has been asked. */
  readonly told?: ToldResources;
}

/** What a server has told of the resources of a version. */
export interface ToldResources {
  /** As in aggregated discovery (KEP-3352). */
  readonly resources: readonly JsonObject[];
  /** Whether that is what it tells now. */
  readonly isFresh: boolean;
}
