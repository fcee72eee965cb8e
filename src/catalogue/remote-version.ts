import type { ClientResource } from '../api/client/client.ts';
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
  /** Absent until its discovery has been requested. */
  readonly advertised?: AdvertisedResources;
  /** Absent until its server has responded. */
  readonly openApi?: AdvertisedOpenApi;
}

/** The discovery of a version. */
export interface AdvertisedResources {
  /** As in aggregated discovery (KEP-3352), encoded. */
  readonly json: Buffer;
  /** The resources for clients, by name. */
  readonly byName: ReadonlyMap<string, ClientResource>;
  /** Whether it is current. */
  readonly isFresh: boolean;
}

/** The schemas of a server. */
export interface AdvertisedOpenApi {
  readonly v2: SwaggerPart;
  /** Documents of version 3 by name, such as `apis/example.com/v1`, and where the server has them. */
  readonly v3: ReadonlyMap<string, string>;
}

/** A group version's share of the OpenAPI document of version 2: JSON by name. */
export interface SwaggerPart {
  readonly paths: ReadonlyMap<string, string>;
  readonly definitions: ReadonlyMap<string, string>;
  readonly parameters: ReadonlyMap<string, string>;
}
