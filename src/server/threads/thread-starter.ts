import { MessageChannel, type MessagePort, type ResourceLimits } from 'node:worker_threads';
import { logSite } from '../../api/contracts/log.ts';
import { type RememberedToken, SharedTokens } from '../../authentication/shared-tokens.ts';
import type { Turns } from '../../api/scheduling/turns.ts';
import type { Auditor } from '../../audit/request-audit.ts';
import type { LevelState } from '../../flowcontrol/dumps/level-state.ts';
import type { FlowControl } from '../../flowcontrol/flow-control.ts';
import { makeSeatMemory, SharedSeats } from '../../flowcontrol/shared-seats.ts';
import { StorePorts } from '../../storage/ports/store-ports.ts';
import type { ServiceRegisters } from '../../resources/core/service/allocation/service-allocation.ts';
import { ExchangeReceiver } from '../../http/handover/exchange-receiver.ts';
import type { Exchange } from '../../http/transport/exchange.ts';
import type { ServerConfig } from '../config.ts';
import type { ServerLog } from '../logging/server-log.ts';
import type { Lifecycle } from '../lifecycle.ts';
import { type Store, storeClusters } from '../store/store.ts';
import { resultInTime } from './result-in-time.ts';
import { portCalls } from './process-ports.ts';
import { type CallsOfThread, RunningThread } from './running-thread.ts';
import type { ThreadCalls } from './thread-data.ts';
import { ThreadMetrics } from './thread-metrics.ts';
import { type TurnCalls, turnCalls } from './process-turns.ts';

const site = logSite('server/threads/thread-starter.ts');

/** What threads have in common with the first one. */
export interface CommonParts {
  /** The port that the server listens on. */
  readonly port: number;
  readonly store: Store;
  readonly lifecycle: Lifecycle;
  /** Serves what is of the process, whichever thread has accepted it. */
  readonly handle: (exchange: Exchange) => void;
  readonly auditor: Auditor | undefined;
  readonly registers: Pick<ServiceRegisters, 'ports' | 'repaired'>;
  readonly flowControl: Pick<FlowControl, 'noteDemand'> | undefined;
}

/** A thread that is to be started. */
export interface NewThread {
  readonly name: string;
  /** Whether it listens on the port. */
  readonly listens: boolean;
  /** Its number among those that take seats. */
  readonly seatThread: number;
  /** What the process does for this sort of threads. */
  readonly calls: Pick<CallsOfThread, 'laneWanted' | 'laneUsed' | 'idle'>;
  /** It says so when it has had nothing to do for this long; absent: it does not. */
  readonly idleMs?: number | undefined;
  /** Limits of the thread's heap; absent: those of the process. */
  readonly resourceLimits?: ResourceLimits;
}

/** What the threads share with the first one from the beginning. */
export interface StarterParts {
  /** For the TLS of all threads. */
  readonly ticketKeys: Uint8Array;
  /** The tokens of the first thread, which are reported to `tellToken`. */
  readonly tokens: SharedTokens;
  readonly turns: Turns;
}

/** Starts threads on the store of the process, and knows those that run. */
export class ThreadStarter {
  readonly metrics = new ThreadMetrics();
  readonly #tokens: SharedTokens;
  readonly #turns: Turns;
  /** The seats of the first thread. */
  readonly seats: SharedSeats;
  readonly #config: ServerConfig;
  readonly #ticketKeys: Uint8Array;
  readonly #log: ServerLog;
  readonly #running = new Set<RunningThread>();
  readonly #serving = new Set<RunningThread>();
  readonly #seatMemory = makeSeatMemory();
  #ports: readonly StorePorts[] = [];
  #common: CommonParts | undefined;

  constructor(config: ServerConfig, log: ServerLog, { ticketKeys, tokens, turns }: StarterParts) {
    this.#turns = turns;
    this.#ticketKeys = ticketKeys;
    this.#tokens = tokens;
    this.#config = config;
    this.#log = log;
    this.seats = new SharedSeats(this.#seatMemory, 0);
  }

  /** The store of the first thread; the others get theirs from it. */
  sharing(store: Store): Store {
    this.#ports = store.clusters.map((storage) => new StorePorts(storage, store.engine));
    return {
      ...store,
      ...storeClusters(
        this.#ports.map(({ storage }) => storage),
        store.clusterOf,
      ),
    };
  }

  /** From now on threads may be started. */
  use(common: CommonParts): void {
    this.#common = common;
    this.#log.verbosity.follow((level) => this.#tellAll('setVerbosity', level));
    common.lifecycle.follow({
      finished: (hook) => this.#tellAll('finished', hook),
      left: () => this.#tellAll('leave', undefined),
    });
  }

  start({ name, listens, seatThread, calls, idleMs, resourceLimits }: NewThread): RunningThread {
    if (this.#common === undefined) throw new Error('threads are started when the first one listens');
    const { port, store, lifecycle, handle } = this.#common;
    const serving = { ...this.#config.serving, securePort: port };
    const profiling = { ...this.#config.profiling, socketPath: undefined };
    const ended = Promise.withResolvers<void>();
    const thread: RunningThread = new RunningThread(
      {
        name,
        listens,
        seats: this.#seatMemory,
        seatThread,
        config: {
          ...this.#config,
          serving,
          profiling,
        },
        stores: this.#ports.map((ports) => ports.connect()),
        exchanges: listens ? receivedBy(handle) : undefined,
        storeIsShared: store.isShared,
        wasCutOff: store.wasCutOff,
        log: this.#log.connect(seatThread),
        verbosity: this.#log.verbosity.level,
        ticketKeys: this.#ticketKeys,
        idleMs,
        finished: lifecycle.hooks.filter((hook) => lifecycle.hasRun(hook)),
      },
      {
        ...callsOfProcess(this.#config, this.#common),
        ...turnCalls(this.#turns, ended.promise),
        ...calls,
        tokenKnown: (token) => this.#learn(token, thread),
      },
      {
        onError: (error) => this.tellLog('a call of a thread failed', error),
        resourceLimits,
        module: serving.threadModule,
      },
    );
    this.#running.add(thread);
    this.metrics.add(name, () => thread.calls.call('metrics', undefined));
    void thread.serving.then(
      () => this.#serving.add(thread),
      () => undefined,
    );
    void thread.ended.then(() => {
      this.#serving.delete(thread);
      this.#running.delete(thread);
      this.metrics.remove(name);
      this.seats.free(seatThread);
      this.#log.disconnect(seatThread);
      ended.resolve();
    });
    return thread;
  }

  /** What their flow control has, of those that answer in time. */
  async flowLevels(withRequests: boolean): Promise<readonly (readonly LevelState[])[]> {
    const asking = Array.from(this.#serving, ({ calls }) => resultInTime(calls.call('flowLevels', withRequests)));
    return (await Promise.all(asking)).filter((result) => result !== undefined);
  }

  /** The first thread has begun to remember a token. */
  tellToken(token: RememberedToken): void {
    this.#tellAll('tokenKnown', token);
  }

  tellLog(message: string, error: unknown): void {
    this.#log.write({ site, severity: 'error', message, error });
  }

  /** A thread has begun to remember a token. */
  #learn(token: RememberedToken, from: RunningThread): void {
    this.#tokens.learn(token);
    for (const thread of this.#running) if (thread !== from) thread.calls.tell('tokenKnown', token);
  }

  #tellAll<Name extends 'finished' | 'leave' | 'setVerbosity' | 'tokenKnown'>(
    name: Name,
    argument: Parameters<ThreadCalls[Name]>[0],
  ): void {
    for (const { calls } of this.#running) calls.tell(name, argument as never); // the argument of the function named
  }
}

function callsOfProcess(
  { api }: ServerConfig,
  { auditor, registers, flowControl }: CommonParts,
): Omit<CallsOfThread, keyof NewThread['calls'] | keyof TurnCalls | 'tokenKnown'> {
  return {
    ...portCalls(registers, api.serviceNodePortRange),
    seatsWanted: () => flowControl?.noteDemand(),
    // Each request waits for its own events.
    audit: (events) => Promise.all(events.map(async (event) => auditor?.sink.process([event]) ?? true)),
  };
}

/** The port of exchanges that are served here. */
function receivedBy(handle: (exchange: Exchange) => void): MessagePort {
  const { port1, port2 } = new MessageChannel();
  new ExchangeReceiver(port1, handle);
  return port2;
}
