import { type RememberedToken, SharedTokens } from '../../authentication/shared-tokens.ts';
import type { Turns } from '../../api/scheduling/turns.ts';
import { SeatSharing } from '../../flowcontrol/seat-sharing.ts';
import type { ServerConfig } from '../config.ts';
import type { ServerLog } from '../logging/server-log.ts';
import type { Store } from '../store/store.ts';
import { ApiThreads, lastCallsMs } from './api-threads.ts';
import { LaneSenders } from './lane-senders.ts';
import { Lanes } from './lanes.ts';
import type { SharedFlowControl } from '../../flowcontrol/flow-control.ts';
import type { OtherMetrics } from '../../metrics/request-metrics.ts';
import type { OtherThreads } from './other-threads.ts';
import { newTicketKeys } from './ticket-keys.ts';
import type { SharedParts } from './shared-parts.ts';
import { firstThreadName, maxApiThreads } from './thread-limits.ts';
import { newTurns } from './process-turns.ts';
import { type CommonParts, ThreadStarter } from './thread-starter.ts';

/** A lane whose heap needs more ends: 3 MB of input become some hundred at most, and few are processed at once. */
const laneHeapMiB = 1_024;

export interface FurtherThreadsOptions {
  /** For the TLS of all threads. */
  readonly ticketKeys?: Buffer;
  /** A thread that has had nothing to do for this long ends; absent: none does. */
  readonly idleMs?: number;
  /** The tokens of the first thread, which are reported to `tellToken`. */
  readonly tokens?: SharedTokens;
  /** In which the first thread charges quotas. */
  readonly turns?: Turns;
}

/** The threads of a server beside the first one: they serve like it, or take large requests from others. */
export class FurtherThreads implements OtherThreads {
  readonly ticketKeys: Buffer;
  readonly #config: ServerConfig;
  readonly #tokens: SharedTokens;
  readonly #turns: Turns;
  readonly #starter: ThreadStarter;
  readonly #threads: ApiThreads;
  /** How many serve from the beginning. */
  readonly #count: number;
  readonly #lanes: Lanes | undefined;
  readonly #ownLanes: LaneSenders | undefined;
  #ended: Promise<void> | undefined;

  constructor(
    config: ServerConfig,
    log: ServerLog,
    { ticketKeys = newTicketKeys(), idleMs, tokens, turns = newTurns() }: FurtherThreadsOptions = {},
  ) {
    const { apiThreads, lanes } = config.serving;
    this.ticketKeys = ticketKeys;
    this.#config = config;
    this.#turns = turns;
    this.#count = apiThreads === 'auto' ? 0 : apiThreads - 1;
    this.#tokens = tokens ?? new SharedTokens((token) => this.tellToken(token));
    this.#starter = new ThreadStarter(config, log, { ticketKeys, tokens: this.#tokens, turns });
    this.#lanes = lanes === 0 ? undefined : this.#makeLanes(lanes);
    this.#ownLanes =
      this.#lanes && new LaneSenders({ wanted: () => this.#lanes?.wanted(), used: (name) => this.#lanes?.used(name) });
    if (this.#ownLanes !== undefined) this.#lanes?.connect(this.#ownLanes);
    this.#threads = new ApiThreads({ starter: this.#starter, lanes: this.#lanes, idleMs });
  }

  /** For the first thread. */
  get shared(): SharedParts {
    return {
      threadName: firstThreadName,
      tokens: this.#tokens,
      otherMetrics: () => this.metrics,
      othersServe: () => this.#threads.serving.length >= this.#count,
      othersWrite: () => true,
      turns: this.#turns,
      lanes: this.#ownLanes,
      sharing: new SeatSharing(this.flow),
    };
  }

  get metrics(): OtherMetrics {
    return this.#starter.metrics;
  }

  /** What the first thread counts together with the others. */
  get flow(): SharedFlowControl {
    return {
      seats: this.#starter.seats,
      onDemand: () => undefined,
      otherLevels: (withRequests) => this.#starter.flowLevels(withRequests),
    };
  }

  /** The first thread has begun to remember a token. */
  tellToken(token: RememberedToken): void {
    this.#starter.tellToken(token);
  }

  /** For large requests of the first thread; undefined: there are to be none. */
  get lanes(): LaneSenders | undefined {
    return this.#ownLanes;
  }

  /** Whether there is any thread beside the first one. */
  get haveThreads(): boolean {
    return this.#threads.size > 0 || (this.#lanes?.size ?? 0) > 0;
  }

  /** Threads that serve, and those that begin and end. */
  get threads(): Pick<ApiThreads, 'size' | 'serving'> {
    return this.#threads;
  }

  /** The store of the first thread; the others get theirs from it. */
  async sharing(store: Store): Promise<Store> {
    return this.#starter.sharing(store);
  }

  /** Starts those that are to serve from the beginning; resolves when they do. Rejects if one of them cannot. */
  async start(common: CommonParts): Promise<void> {
    this.#starter.use(common);
    await this.#threads.start(this.#count);
  }

  /** Starts another one; resolves when it listens. Rejects if it cannot. */
  grow(): Promise<void> {
    return this.#threads.start(1);
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
    return new Lanes({
      most,
      deafMs: this.#config.requests.timeoutMs,
      lastCallsMs,
      idleMs: this.#config.serving.threadGrowth.idleMs,
      leaves: (name) => this.#starter.metrics.leaves(name),
      start: (name, number) =>
        this.#starter.start({
          name,
          listens: false,
          seatThread: maxApiThreads + number - 1,
          calls: {
            laneWanted: () => undefined,
            laneUsed: () => undefined,
            idle: () => undefined,
          },
          resourceLimits: { maxOldGenerationSizeMb: laneHeapMiB },
        }),
      onProblem: (message, error) => this.#starter.tellLog(message, error),
    });
  }
}
