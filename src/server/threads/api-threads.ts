import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { type Log, logSite } from '../../api/log.ts';
import type { Auditor } from '../../audit/request-audit.ts';
import type { FlowControl } from '../../flowcontrol/flow-control.ts';
import { SeatSharing } from '../../flowcontrol/seat-sharing.ts';
import { makeSeatMemory, SharedSeats } from '../../flowcontrol/shared-seats.ts';
import { StorePorts } from '../../storage/ports/store-ports.ts';
import type { ServiceRegisters } from '../../resources/core/service/allocation/service-allocation.ts';
import type { Exchange } from '../../http/transport/exchange.ts';
import type { ServerConfig } from '../config.ts';
import type { ServerLog } from '../logging/server-log.ts';
import type { Lifecycle } from '../lifecycle.ts';
import { type Store, storeClusters } from '../store/store.ts';
import { answerInTime } from './answer-in-time.ts';
import type { SharedParts } from './shared-parts.ts';
import { firstThreadName } from './thread-limits.ts';
import { ThreadMetrics } from './thread-metrics.ts';
import { RunningThread } from './running-thread.ts';
import { portCalls } from './process-ports.ts';
import type { ProcessCalls, ThreadCalls } from './thread-data.ts';

const site = logSite('server/threads/api-threads.ts');

/** A thread that did not live this long may be unable to: the next one is not started at once. */
const shortLifeMs = 10_000;
const pauseMs = 1_000;
/** How long a thread has for what is left to be done after the last request. */
const lastCallsMs = 10_000;

/** As `node:tls` wants them. */
const ticketKeyBytes = 48;

/** What threads have in common with the first one. */
interface CommonParts {
  readonly store: Store;
  readonly lifecycle: Lifecycle;
  /** Serves what is of the process, whichever thread has accepted it. */
  readonly handle: (exchange: Exchange) => void;
  readonly auditor: Auditor | undefined;
  readonly registers: Pick<ServiceRegisters, 'ports' | 'repaired'>;
  readonly flowControl: Pick<FlowControl, 'noteDemand'> | undefined;
}

/** The threads that serve beside the first one. One that dies is replaced. */
export class ApiThreads {
  /** For the TLS of all threads. */
  readonly ticketKeys = randomBytes(ticketKeyBytes);
  readonly #config: ServerConfig;
  readonly #log: Log & Pick<ServerLog, 'verbosity'>;
  readonly #threads = new Map<string, RunningThread>();
  /** The names of those that have begun to serve. */
  readonly #serving = new Set<string>();
  readonly #metrics = new ThreadMetrics();
  readonly #seatMemory = makeSeatMemory();
  readonly #seats = new SharedSeats(this.#seatMemory, 0);
  readonly #stop = new AbortController();
  #ports: readonly StorePorts[] = [];
  #ended: Promise<void> | undefined;

  constructor(config: ServerConfig, log: Log & Pick<ServerLog, 'verbosity'>) {
    this.#config = config;
    this.#log = log;
  }

  /** How many there are to be. */
  get #wanted(): number {
    return this.#config.serving.apiThreads - 1;
  }

  /** For the first thread. */
  get shared(): SharedParts {
    return {
      threadName: firstThreadName,
      otherMetrics: this.#metrics,
      othersServe: () => this.#serving.size === this.#wanted,
      sharing: new SeatSharing({
        seats: this.#seats,
        onDemand: () => undefined,
        otherLevels: (withRequests) => this.#askAll((calls) => calls.call('flowLevels', withRequests)),
      }),
    };
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

  /** Starts them; resolves when all listen on the port. Rejects if one of them cannot. */
  async start(port: number, parts: CommonParts): Promise<void> {
    this.#log.verbosity.follow((level) => this.#tellAll('setVerbosity', level));
    parts.lifecycle.follow({
      finished: (hook) => this.#tellAll('finished', hook),
      left: () => this.#tellAll('leave', undefined),
    });
    await Promise.all(Array.from({ length: this.#wanted }, () => this.#startOne(port, parts)));
  }

  /** Ends what clients are served on them, and the threads. */
  end(): Promise<void> {
    this.#stop.abort();
    const graceMs = this.#config.requests.timeoutMs + lastCallsMs;
    return (this.#ended ??= Promise.all(Array.from(this.#threads.values(), (each) => each.end(graceMs))).then(
      () => undefined,
    ));
  }

  /** Resolves once it listens. */
  async #startOne(port: number, parts: CommonParts): Promise<void> {
    const { store, lifecycle, handle } = parts;
    const startedMs = performance.now();
    const exchanges = await receivedBy(handle);
    const number = this.#freeNumber();
    const name = `api-${number}`;
    const serving = { ...this.#config.serving, securePort: port };
    const profiling = { ...this.#config.profiling, socketPath: undefined };
    const thread = new RunningThread(
      {
        name,
        ...{ seats: this.#seatMemory, seatThread: number },
        config: { ...this.#config, serving, profiling },
        stores: this.#ports.map((ports) => ports.connect()),
        exchanges,
        storeIsShared: store.isShared,
        wasCutOff: store.wasCutOff,
        verbosity: this.#log.verbosity.level,
        ticketKeys: this.ticketKeys,
        finished: lifecycle.hooks.filter((hook) => lifecycle.hasRun(hook)),
      },
      callsOfProcess(this.#config, parts),
      (error) => this.#tellLog('a call of a thread failed', error),
    );
    this.#threads.set(name, thread);
    this.#metrics.add(name, () => thread.calls.call('metrics', undefined));
    void thread.ended.then(() => {
      this.#threads.delete(name);
      this.#serving.delete(name);
      this.#metrics.remove(name);
      this.#seats.free(number);
    });
    await thread.listening;
    this.#serving.add(name);
    void thread.ended.then(async (problem) => {
      if (problem === undefined || this.#stop.signal.aborted) return;
      this.#tellLog('a thread has ended, another one takes its place', problem);
      await this.#replace(port, parts, performance.now() - startedMs < shortLifeMs ? pauseMs : 0);
    });
  }

  /** Few numbers, so that metrics with the names of threads stay few. */
  #freeNumber(): number {
    let number = 1;
    while (this.#threads.has(`api-${number}`)) number += 1;
    return number;
  }

  async #replace(port: number, parts: CommonParts, delayMs: number): Promise<void> {
    const { signal } = this.#stop;
    for (let wait = delayMs; !signal.aborted; wait = pauseMs) {
      await sleep(wait, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.#startOne(port, parts);
        return;
      } catch (error) {
        this.#tellLog('a thread did not start', error);
      }
    }
  }

  /** The answers of those that answer in time. */
  async #askAll<T>(ask: (calls: RunningThread['calls']) => Promise<T>): Promise<readonly T[]> {
    const threads = [...this.#serving].map((name) => this.#threads.get(name)).filter((each) => each !== undefined);
    const answers = await Promise.all(threads.map(({ calls }) => answerInTime(ask(calls))));
    return answers.filter((answer) => answer !== undefined);
  }

  #tellAll<Name extends 'finished' | 'leave' | 'setVerbosity'>(
    name: Name,
    argument: Parameters<ThreadCalls[Name]>[0],
  ): void {
    for (const { calls } of this.#threads.values()) calls.tell(name, argument as never); // the argument of the function named
  }

  #tellLog(message: string, error: unknown): void {
    this.#log.write({ site, severity: 'error', message, error });
  }
}

function callsOfProcess(
  { api }: ServerConfig,
  { auditor, registers, flowControl }: CommonParts,
): Omit<ProcessCalls, 'listening' | 'failed'> {
  return {
    ...portCalls(registers, api.serviceNodePortRange),
    seatsWanted: () => flowControl?.noteDemand(),
    // Each request waits for its own events.
    audit: (events) => Promise.all(events.map(async (event) => auditor?.sink.process([event]) ?? true)),
  };
}

/** The port of exchanges that are served here. Loaded if there are threads. */
async function receivedBy(handle: (exchange: Exchange) => void): Promise<MessagePort> {
  const { ExchangeReceiver } = await import('../../http/handover/exchange-receiver.ts');
  const { port1, port2 } = new MessageChannel();
  new ExchangeReceiver(port1, handle);
  return port2;
}
