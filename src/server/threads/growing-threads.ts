import { availableParallelism } from 'node:os';
import { logSite } from '../../api/contracts/log.ts';
import { SharedTokens } from '../../authentication/shared-tokens.ts';
import { SeatSharing } from '../../flowcontrol/seat-sharing.ts';
import type { Lane, Lanes } from '../../http/request/lanes.ts';
import type { ServerConfig } from '../config.ts';
import type { ServerLog } from '../logging/server-log.ts';
import { type Store, storeClusters } from '../store/store.ts';
import type { FurtherThreads } from './further-threads.ts';
import { type LoadReading, LoadWindows } from './load-windows.ts';
import type { FirstThread, OtherThreads } from './other-threads.ts';
import { newTurns } from './process-turns.ts';
import type { RunningThread } from './running-thread.ts';
import type { SharedParts } from './shared-parts.ts';
import { maxApiThreads } from './thread-limits.ts';
import { newTicketKeys } from './ticket-keys.ts';

const site = logSite('server/threads/growing-threads.ts');

/** The share of a window from which on a thread is busy. */
const busyShare = 0.9;
/** A thread that is less busy than this could do more. */
const freeShare = 0.6;
/**
 * What busy threads send away of their connections, which come back to any thread: after some rounds a new thread has
 * about as many as the others.
 */
const shedShare = 0.5;
const shedRounds = 3;
/** After a thread that did not start. */
const pauseMs = 10_000;
/** Charges that cannot be written keep a thread from starting. */
const maxFlushes = 3;

const firstThread = Symbol('the first thread');
const firstComputing = Symbol('the first thread on a processor');
type ThreadKey = RunningThread | typeof firstThread;
type Key = ThreadKey | typeof firstComputing;

/**
 * The threads beside the first one where their number follows the load: when all are busy and the machine has
 * processors for them, another one starts, and one that has had nothing to do ends; lanes start with the first large
 * request. Until then nothing is loaded or shared, and nothing is measured without a request.
 */
export class GrowingThreads implements OtherThreads {
  readonly ticketKeys = newTicketKeys();
  readonly #config: ServerConfig;
  readonly #log: ServerLog;
  readonly #sharing = new SeatSharing();
  readonly #tokens = new SharedTokens((token) => this.#further?.tellToken(token));
  readonly #turns = newTurns();
  readonly #load: LoadWindows<Key>;
  #store: Store | undefined;
  #first: FirstThread | undefined;
  #further: FurtherThreads | undefined;
  #growth: Promise<void> | undefined;
  #beginning: Promise<FurtherThreads | undefined> | undefined;
  /** How many requests wait for the first lane. */
  #laneStarts = 0;
  #isEnding = false;
  /** How many windows in a row showed that there is work for another thread. */
  #strainedWindows = 0;
  #notBeforeMs = 0;
  /** From when on connections move to the youngest thread. */
  #movesFromMs = 0;
  #roundsLeft = 0;

  constructor(config: ServerConfig, log: ServerLog) {
    this.#config = config;
    this.#log = log;
    this.#load = new LoadWindows({
      windowMs: config.serving.threadGrowth.busyMs,
      read: () => this.#readings(),
      onWindow: (busy) => this.#adjust(busy),
    });
  }

  get shared(): SharedParts {
    return {
      tokens: this.#tokens,
      turns: this.#turns,
      sharing: this.#sharing,
      otherMetrics: () => this.#further?.metrics,
      othersWrite: () => this.#growth !== undefined || this.#laneStarts > 0 || this.#further?.haveThreads === true,
      ...(this.#config.serving.apiThreads === 'auto' ? { onRequest: this.#load.noteRequest } : {}),
      ...(this.#config.serving.lanes > 0 ? { lanes: { free: () => this.#freeLane() } } : {}),
    };
  }

  async sharing(store: Store): Promise<Store> {
    this.#store = store.engine === undefined ? await watchedTogether(store) : store;
    return this.#store;
  }

  async start(first: FirstThread): Promise<void> {
    this.#first = first;
  }

  async end(firstEnded: Promise<void>): Promise<void> {
    this.#isEnding = true;
    this.#load[Symbol.dispose]();
    // One that begins ends as well.
    await Promise.all([this.#further?.end(firstEnded) ?? firstEnded, this.#growth, this.#beginning]);
    await this.#further?.end(firstEnded);
  }

  get #others(): FurtherThreads['threads'] {
    return this.#further?.threads ?? noThreads;
  }

  #readings(): ReadonlyMap<Key, LoadReading> {
    return new Map<Key, LoadReading>([
      [firstThread, performance.eventLoopUtilization()],
      ...timeOnProcessor(),
      ...this.#others.serving.map((thread) => [thread, thread.load] as const),
    ]);
  }

  #adjust(busy: ReadonlyMap<Key, number>): void {
    if (this.#growth !== undefined || this.#isEnding || this.#first === undefined) return;
    const keys: readonly ThreadKey[] = [firstThread, ...this.#others.serving];
    const strained = keys.filter((key) => (busy.get(key) ?? 0) >= busyShare);
    if (strained.length === keys.length) {
      // One that waits for a processor shows that another thread would wait as well.
      const { computingShare, busyWindows } = this.#config.serving.threadGrowth;
      const findsProcessor = (busy.get(firstComputing) ?? 1) >= computingShare;
      this.#strainedWindows = findsProcessor ? this.#strainedWindows + 1 : 0;
      if (this.#strainedWindows >= busyWindows && this.#mayGrow(this.#first)) {
        this.#strainedWindows = 0;
        this.#growth = this.#grow(this.#first).finally(() => (this.#growth = undefined));
      }
      return;
    }
    this.#strainedWindows = 0;
    if (this.#movesNow && keys.some((key) => (busy.get(key) ?? 1) < freeShare)) {
      this.#roundsLeft -= 1;
      this.#shed(strained);
    }
  }

  get #movesNow(): boolean {
    return this.#roundsLeft > 0 && performance.now() >= this.#movesFromMs;
  }

  /** A single connection would be served by one thread all the same. */
  #mayGrow({ lifecycle, connections }: FirstThread): boolean {
    const { most = availableParallelism() } = this.#config.serving.threadGrowth;
    const count = 1 + this.#others.size;
    return (
      count < Math.min(most, maxApiThreads) &&
      connections() > 1 &&
      performance.now() >= this.#notBeforeMs &&
      !lifecycle.isStopping
    );
  }

  async #grow(first: FirstThread): Promise<void> {
    try {
      const further = await this.#begun(first);
      if (further === undefined) return;
      await further.grow();
      this.#movesFromMs = performance.now() + this.#config.serving.threadGrowth.moveAfterMs;
      this.#roundsLeft = shedRounds;
    } catch (error) {
      if (this.#isEnding) return;
      this.#log.write({ site, severity: 'error', message: 'a thread did not start', error });
      this.#notBeforeMs = performance.now() + pauseMs;
    }
  }

  /** A free lane of those that run, or the first one. */
  #freeLane(): ReturnType<Lanes['free']> {
    return this.#further?.haveThreads === true ? this.#further.lanes?.free() : this.#firstLane();
  }

  async #firstLane(): Promise<Lane | undefined> {
    if (this.#first === undefined || this.#isEnding) return undefined;
    this.#laneStarts += 1;
    try {
      const further = await this.#begun(this.#first);
      return await further?.lanes?.free();
    } finally {
      this.#laneStarts -= 1;
    }
  }

  /** Threads can begin; undefined: there is something that they could not know. */
  #begun(first: FirstThread): Promise<FurtherThreads | undefined> {
    return (this.#beginning ??= this.#begin(first).finally(() => (this.#beginning = undefined)));
  }

  async #begin(first: FirstThread): Promise<FurtherThreads | undefined> {
    if (!(await allWritten(first))) return undefined;
    return this.#further ?? (await this.#make(first));
  }

  async #make(first: FirstThread): Promise<FurtherThreads> {
    const { FurtherThreads: Threads } = await import('./further-threads.ts');
    const { idleMs } = this.#config.serving.threadGrowth;
    const { ticketKeys } = this;
    const further = new Threads(this.#config, this.#log, {
      ticketKeys,
      idleMs,
      tokens: this.#tokens,
      turns: this.#turns,
    });
    if (this.#store !== undefined) await further.sharing(this.#store);
    this.#sharing.begin(further.flow);
    await further.start(first);
    return (this.#further = further);
  }

  #shed(keys: readonly ThreadKey[]): void {
    const shedding = { share: shedShare, minAgeMs: this.#config.serving.threadGrowth.moveAfterMs };
    for (const key of keys)
      if (key === firstThread) this.#first?.shed(shedding);
      else key.calls.tell('shed', shedding);
  }
}

const noThreads: FurtherThreads['threads'] = { size: 0, serving: [] };

/** How long this thread has been on a processor; empty where Node does not tell. */
function timeOnProcessor(): Iterable<readonly [typeof firstComputing, LoadReading]> {
  // Since Node 23.9.
  const usage = (process as Partial<Pick<NodeJS.Process, 'threadCpuUsage'>>).threadCpuUsage?.();
  if (usage === undefined) return [];
  const active = (usage.user + usage.system) / 1000;
  return [[firstComputing, { active, idle: performance.now() - active }]];
}

/** Watches of all threads have to be told the same at the same time: also those that begin before there are others. */
async function watchedTogether(store: Store): Promise<Store> {
  const { SharedWatches } = await import('../../storage/ports/shared-watches.ts');
  const clusters = store.clusters.map((cluster) => new SharedWatches(cluster));
  return { ...store, ...storeClusters(clusters, store.clusterOf) };
}

/** Whether everything is written that others could not know. */
async function allWritten({ delayed }: Pick<FirstThread, 'delayed'>): Promise<boolean> {
  for (let flushes = 0; flushes < maxFlushes; flushes += 1) {
    const due = delayed.flush();
    if (due === undefined) return true;
    await due;
  }
  return false;
}
