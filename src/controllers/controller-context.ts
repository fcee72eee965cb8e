import type { Client, ReadingClient } from '../api/client.ts';
import type { MetadataClient } from '../api/metadata-client.ts';
import type { Clock } from '../api/clock.ts';

/** Dependencies of controllers. */
export interface ControllerContext {
  /** The API, for the controller's own service account, which may do what its role says. */
  readonly client: Client;
  /** The same as `client`, of all objects, and fast. */
  readonly metadata: MetadataClient;
  /** Lists and watches anything for all controllers: objects are read once for all of them, and nobody may change them. */
  readonly shared: ReadingClient;
  readonly clock: Clock;
  /** Reports failures; the controller retries by itself. */
  readonly onError: (error: unknown) => void;
}
