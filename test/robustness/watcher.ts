import { setTimeout as sleep } from 'node:timers/promises';
import type { WatchEvent } from '../api-client.ts';
import type { Workload } from './client.ts';
import { Connection, type Endpoint } from './connection.ts';
import { member, stateOf, writtenText } from './objects.ts';
import type { Random } from './random.ts';
import type {
  Freshness,
  ObjectState,
  ReceivedEvent,
  WatchEnding,
  WatchSelection,
  WatchSession,
  WatchStart,
} from './recorded.ts';
import { type TransportName, transports } from './watch-transports.ts';

const reconnectMs = 50;

interface Ended {
  readonly ending: WatchEnding;
  readonly detail: string;
}

/** The behaviour of one watch, chosen by the seed. */
interface Manner {
  readonly start: WatchStart;
  readonly timeoutSeconds: number;
  /** The client ends the watch after this time. */
  readonly leaveAfterMs: number;
  /** Delay between reads. */
  readonly pauseMs: number;
}

export interface WatcherOptions {
  readonly selection: WatchSelection;
  readonly transport: TransportName;
  readonly random: Random;
  readonly workload: Workload;
}

/** A client that watches again and again, usually from where it left off. */
export class Watcher {
  readonly selection: WatchSelection;
  readonly sessions: WatchSession[] = [];
  readonly #name: string;
  readonly #connection: Connection;
  readonly #transport: TransportName;
  readonly #random: Random;
  readonly #workload: Workload;
  /** All events up to here have been received. */
  #position: number | undefined;
  /** The revision to be reached before the run ends. */
  #goal: number | undefined;
  #deadlineMs = Number.POSITIVE_INFINITY;
  #leave: AbortController | undefined;

  constructor(name: string, endpoint: Endpoint, { selection, transport, random, workload }: WatcherOptions) {
    this.#name = name;
    this.#connection = new Connection(endpoint);
    this.#transport = transport;
    this.selection = selection;
    this.#random = random;
    this.#workload = workload;
  }

  /** Cuts the connection, even during a request. */
  drop(): void {
    this.#connection.drop();
    this.#leave?.abort();
  }

  /** Resolves when the goal is reached, or on timeout. */
  async run(): Promise<void> {
    while (!this.#finished() && performance.now() < this.#deadlineMs) {
      await this.#watch(this.#goal === undefined ? this.#manner() : this.#lastManner());
    }
    this.drop();
  }

  /** Stop varying: reach this revision within `finishMs` and end. */
  finish(goal: number, finishMs: number): void {
    this.#goal = goal;
    this.#deadlineMs = performance.now() + finishMs;
    if (this.#finished()) this.#leave?.abort();
    else setTimeout(() => this.#leave?.abort(), finishMs).unref();
  }

  #finished(): boolean {
    return this.#goal !== undefined && (this.#position ?? 0) >= this.#goal;
  }

  #manner(): Manner {
    return {
      start: this.#start(),
      timeoutSeconds: this.#random.integer(1, 6),
      leaveAfterMs: this.#random.chance(0.3) ? this.#random.integer(10, 2000) : 60_000,
      pauseMs: this.#random.chance(0.1) ? this.#random.integer(1, 20) : 0,
    };
  }

  #lastManner(): Manner {
    const start: WatchStart =
      this.#position === undefined
        ? { kind: 'state', freshness: { kind: 'latest' }, bookmark: true }
        : { kind: 'after', revision: this.#position };
    return { start, timeoutSeconds: 60, leaveAfterMs: this.#deadlineMs - performance.now(), pauseMs: 0 };
  }

  #start(): WatchStart {
    const choice = this.#random.weighted({ resume: 6, back: 1, state: 2 });
    const back = this.#random.integer(1, 40);
    const freshness = this.#random.pick(['latest', 'any', 'notOlderThan'] as const);
    const bookmark = this.#random.chance(0.5);
    const from = this.#position;
    if (choice === 'resume' && from !== undefined) return { kind: 'after', revision: from };
    if (choice === 'back') return { kind: 'after', revision: Math.max(1, this.#workload.seenRevision - back) };
    const wanted: Freshness =
      freshness === 'notOlderThan'
        ? { kind: freshness, revision: Math.max(1, this.#workload.seenRevision) }
        : { kind: freshness };
    // Only with the bookmark may a state be requested by version.
    return { kind: 'state', freshness: wanted, bookmark: bookmark || wanted.kind === 'notOlderThan' };
  }

  async #watch(manner: Manner): Promise<void> {
    const leave = new AbortController();
    this.#leave = leave;
    const timer = setTimeout(() => leave.abort(), Math.max(0, manner.leaveAfterMs));
    const openedMs = performance.now();
    let opened;
    try {
      opened = await transports[this.#transport](this.#connection, this.#path(manner), leave.signal);
    } catch {
      // Nothing was received, so there is nothing to record.
      clearTimeout(timer);
      await sleep(reconnectMs);
      return;
    }
    const events: ReceivedEvent[] = [];
    let ended: Ended;
    try {
      ended = await this.#receive(opened.events, events, manner);
    } catch (error) {
      this.#connection.drop();
      ended = { ending: 'ended', detail: String(error) };
    }
    clearTimeout(timer);
    if (this.#goal !== undefined && !this.#finished() && performance.now() >= this.#deadlineMs) {
      ended = { ending: 'stalled', detail: `${this.#goal} not reached in time, but ${this.#position}` };
    }
    if (ended.ending === 'expired') this.#position = undefined;
    const { server } = opened;
    const { start } = manner;
    this.sessions.push({ client: this.#name, server, openedMs, selection: this.selection, start, events, ...ended });
    if (events.length === 0) await sleep(this.#random.integer(0, reconnectMs));
  }

  async #receive(
    source: AsyncIterable<WatchEvent>,
    events: ReceivedEvent[],
    { start, pauseMs }: Manner,
  ): Promise<Ended> {
    // Initial objects say nothing about how far the watch has come, until another event follows them.
    let inState = start.kind === 'state';
    for await (const event of source) {
      const { type } = event;
      const receivedMs = performance.now();
      // A refused watch is answered with a single Status.
      if (type === 'ERROR' || type === undefined) return refusal(event.type === 'ERROR' ? event.object : { ...event });
      if (type === 'BOOKMARK') {
        const revision = Number(member(member(event.object, 'metadata'), 'resourceVersion'));
        const endsInitialEvents = endsState(event.object);
        events.push({ type, receivedMs, revision, endsInitialEvents });
        this.#position = revision;
        inState = false;
      } else {
        const object = readObject(event.object);
        if ('fault' in object) return { ending: 'unexpected', detail: object.fault };
        // The remaining event types.
        events.push({ type: type as 'ADDED', receivedMs, object });
        if (!inState) this.#position = object.revision;
      }
      if (this.#finished()) return { ending: 'ended', detail: 'the goal is reached' };
      if (pauseMs > 0 && this.#goal === undefined) await sleep(pauseMs);
    }
    return { ending: 'ended', detail: 'by the server' };
  }

  #path({ start, timeoutSeconds }: Manner): string {
    const query = new URLSearchParams({
      watch: '1',
      allowWatchBookmarks: 'true',
      timeoutSeconds: String(timeoutSeconds),
    });
    if (start.kind === 'after') query.set('resourceVersion', String(start.revision));
    else {
      const { freshness, bookmark } = start;
      if (freshness.kind !== 'latest') {
        query.set('resourceVersion', 'revision' in freshness ? String(freshness.revision) : '0');
      }
      if (bookmark) {
        query.set('sendInitialEvents', 'true');
        query.set('resourceVersionMatch', 'NotOlderThan');
      }
    }
    const { name, side } = this.selection;
    if (name !== undefined) query.set('fieldSelector', `metadata.name=${name}`);
    if (side !== undefined) query.set('labelSelector', `side=${side}`);
    return `${this.#workload.subject.collectionPath}?${query.toString()}`;
  }
}

/** Unreadable objects are a fault of the server. */
function readObject(object: WatchEvent['object']): ObjectState | { readonly fault: string } {
  try {
    return stateOf(object);
  } catch (error) {
    return { fault: String(error) };
  }
}

function endsState(object: WatchEvent['object']): boolean {
  return member(member(member(object, 'metadata'), 'annotations'), 'k8s.io/initial-events-end') === 'true';
}

/** Errors that clients must handle end a watch like any other end. */
function refusal(status: WatchEvent['object']): Ended {
  const code = Number(member(status, 'code'));
  const detail = `${code} ${writtenText(status, 'message')}`;
  if (code === 410) return { ending: 'expired', detail };
  return { ending: [429, 503, 504].includes(code) ? 'ended' : 'unexpected', detail };
}
