import type { Client, ReadingClient } from '../api/client.ts';
import type { MetadataClient } from '../api/metadata-client.ts';
import type { Clock } from '../api/clock.ts';

/** Dependencies of controllers. */
export interface ControllerContext {
  /** The API as the controller's own service account, limited to the rights of its role. */
  readonly client: Client;
  /** Metadata only, as the same service account. */
  readonly metadata: MetadataClient;
  /** Lists and watches for all controllers: objects are decoded once and shared, so callers must not modify them. */
  readonly shared: ReadingClient;
  readonly clock: Clock;
  /** Reports failures; the controller retries by itself. */
  readonly onError: (error: unknown) => void;
}
