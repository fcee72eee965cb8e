import type { Client } from '../api/client.ts';
import type { Clock } from '../api/clock.ts';

/** What controllers are made with. */
export interface ControllerContext {
  /** The API, for the controller's own service account. */
  readonly client: Client;
  readonly clock: Clock;
  /** Every gate with its state. */
  readonly featureGates: ReadonlyMap<string, boolean>;
  /** Told of failures; the controller tries again by itself. */
  readonly onError: (error: unknown) => void;
}
