import type { Log } from '../../api/log.ts';
import { SeatSharing } from '../../flowcontrol/seat-sharing.ts';
import type { ServerConfig } from '../config.ts';
import type { ServerLog } from '../logging/server-log.ts';
import type { Store } from '../store/store.ts';
import { ApiThreads } from './api-threads.ts';
import { LaneSenders } from './lane-senders.ts';
import { Lanes } from './lanes.ts';
import type { SharedParts } from './shared-parts.ts';
import { firstThreadName, maxApiThreads } from './thread-limits.ts';
import { type CommonParts, ThreadStarter } from './thread-starter.ts';

/** How long a thread has for what is left to be done after the last request. */
const lastCallsMs = 10_000;
/** A lane whose heap needs more ends: 3 MB of input become some hundred at most, and few are processed at once. */
const laneHeapMiB = 1_024;

/** The threads of a server beside the first one: they serve like it, or take large requests from others. */
export class FurtherThreads {
  readonly #config: ServerConfig;
  readonly #starter: ThreadStarter;
  readonly #threads: ApiThreads;
  readonly #lanes: Lanes | undefined;
  readonly #ownLanes: LaneSenders | undefined;
  #ended: Promise<void> | undefined;

  constructor(config: ServerConfig, log: Log & Pick<ServerLog, 'verbosity'>) {
    const { apiThreads, lanes } = config.serving;
    this.#config = config;
    this.#starter = new ThreadStarter(config, log);
    this.#lanes = lanes === 0 ? undefined : this.#makeLanes(lanes);
    this.#ownLanes =
      this.#lanes && new LaneSenders({ wanted: () => this.#lanes?.wanted(), used: (name) => this.#lanes?.used(name) });
    if (this.#ownLanes !== undefined) this.#lanes?.connect(this.#ownLanes);
    this.#threads = new ApiThreads({ starter: this.#starter, count: apiThreads - 1, lanes: this.#lanes });
  }

  /** For the TLS of all threads. */
  get ticketKeys(): Buffer {
    return this.#starter.ticketKeys;
  }

  /** For the first thread. */
  get shared(): SharedParts {
    return {
      threadName: firstThreadName,
      tokens: this.#starter.tokens,
      otherMetrics: this.#starter.metrics,
      othersServe: () => this.#threads.allServe,
      lanes: this.#ownLanes,
      sharing: new SeatSharing({
        seats: this.#starter.seats,
        onDemand: () => undefined,
        otherLevels: (withRequests) => this.#starter.flowLevels(withRequests),
      }),
    };
  }

  /** The store of the first thread; the others get theirs from it. */
  sharing(store: Store): Store {
    return this.#starter.sharing(store);
  }

  /** Starts those that are to serve from the beginning; resolves when they do. Rejects if one of them cannot. */
  async start(common: CommonParts): Promise<void> {
    this.#starter.use(common);
    await this.#threads.start();
  }

  /**
   * Ends what clients are served on them, and the threads. Lanes are the last ones, because others have handed requests
   * over, among them the first one: `firstEnded` resolves when nobody is served there any more.
   */
  end(firstEnded: Promise<void>): Promise<void> {
    return (this.#ended ??= this.#end(firstEnded));
  }

  async #end(firstEnded: Promise<void>): Promise<void> {
    await Promise.all([firstEnded, this.#threads.end(this.#config.requests.timeoutMs + lastCallsMs)]);
    await this.#lanes?.end();
  }

  #makeLanes(most: number): Lanes {
    const seatThreads = new Map(Array.from({ length: most }, (_, at) => [`lane-${at + 1}`, maxApiThreads + at]));
    return new Lanes({
      ...{ most, deafMs: this.#config.requests.timeoutMs, lastCallsMs },
      start: (name) =>
        this.#starter.start({
          ...{ name, listens: false, seatThread: seatThreads.get(name) ?? 0 },
          calls: { laneWanted: () => undefined, laneUsed: () => undefined },
          resourceLimits: { maxOldGenerationSizeMb: laneHeapMiB },
        }),
      onProblem: (message, error) => this.#starter.tellLog(message, error),
    });
  }
}
