import type { Client } from '../api/client.ts';
import type { Clock } from '../api/clock.ts';

/** Dependencies of controllers. */
export interface ControllerContext {
  /** The API as the controller's own service account. */
  readonly client: Client;
  readonly clock: Clock;
  /** Reports failures; the controller retries by itself. */
  readonly onError: (error: unknown) => void;
}
