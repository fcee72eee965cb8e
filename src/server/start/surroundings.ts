import type { Clock } from '../../api/time/clock.ts';
import type { KindSchemas } from '../../codec/document.ts';
import type { ServerIdentity } from '../listening/server-identity.ts';
import type { Lifecycle } from '../lifecycle.ts';
import type { ServerLog } from '../logging/server-log.ts';
import type { Store } from '../store/store.ts';
import type { SharedParts } from '../threads/shared-parts.ts';
import type { ThreadGround } from './ground.ts';

/** What a thread needs of its process. */
export interface ThreadSurroundings {
  readonly log: ServerLog;
  /** The time of the API. */
  readonly clock?: Clock;
  /** Disposes of the thread's parts, in reverse order. */
  readonly opened: AsyncDisposableStack;
  /** `what` failed. */
  readonly onError: (what: string) => (error: unknown) => void;
  /** It may be followed by others, which listen on the same port. */
  readonly isFirst: boolean;
  /** By which clients resume TLS sessions; undefined: the thread is the only one and has its own. */
  readonly ticketKeys: Buffer | undefined;
  /** That of the server of which this one is a clone. */
  readonly identity?: ServerIdentity | undefined;
  /** `schemaOf` looks up kinds that objects in the store may be of. */
  readonly openStore: (schemaOf: KindSchemas) => Promise<Store>;
  /** Called when kinds can be used, before anything reads them; resolves to the state of the server. */
  readonly prepared: (ground: ThreadGround) => Promise<Lifecycle>;
  /** What the start has begun. It may wait for parts that try while the store is out of reach: they end first. */
  readonly started: () => Promise<void>;
  readonly shared: SharedParts;
}
