import type { DelayedWrites } from '../../api/scheduling/delayed-writes.ts';
import type { Shedding } from '../../http/transport/share-of.ts';
import type { Store } from '../store/store.ts';
import type { SharedParts } from './shared-parts.ts';
import type { CommonParts } from './thread-starter.ts';

/** What the threads beside the first one need of it. */
export interface FirstThread extends CommonParts {
  /** What is to be written before others may change it as well. */
  readonly delayed: Pick<DelayedWrites, 'flush'>;
  /** Connections that are open. */
  readonly connections: () => number;
  /** Tells the clients of a share of the connections to come again. */
  readonly shed: (shedding: Shedding) => void;
}

/** The threads beside the first one. */
export interface OtherThreads {
  /** For the TLS of all threads. */
  readonly ticketKeys: Buffer;
  /** For the first thread. */
  readonly shared: SharedParts;
  /** The store of the first thread; the others get theirs from it. */
  sharing(store: Store): Promise<Store>;
  /** The first thread listens. Resolves when all listen that are to from the beginning. */
  start(first: FirstThread): Promise<void>;
  /** Ends what clients are served on them, and the threads; `firstEnded` resolves when the first one serves nobody. */
  end(firstEnded: Promise<void>): Promise<void>;
}
