import type { StorageError, StorageEvent, StorageWatch, WatchRequest, WatchSink } from '../contract.ts';
import { LayeredStorage } from '../layered.ts';

/** The values of some changes in memory that all threads share: copied once, and not for each of them. */
export type ShareTogether = (values: readonly Uint8Array[]) => readonly Uint8Array[];

/** Changes that a range's watch remembers, for those who begin to watch it later, and somewhat in the past. */
const remembered = 256;

/**
 * One watch in the store for all that watch the same range, as the watch caches of several threads do:
 *
 *     store  ... 41 42 43 44        one watch, begun at 41
 *     first      ^                  from there
 *     second           ^            44 from memory, then what comes
 *
 * Who begins before what is remembered catches up by a watch of its own, and hears of no progress until it has joined
 * the others: what one thread shows, another one must not be behind.
 */
export class SharedWatches extends LayeredStorage {
  readonly #ranges = new Map<string, RangeWatch>();
  /** Undefined: there is no other thread. */
  #share: ShareTogether | undefined;

  /** From now on other threads watch as well. */
  shareWith(share: ShareTogether): void {
    this.#share = share;
  }

  override watch(request: WatchRequest, sink: WatchSink): StorageWatch {
    const range = rangeOf(request);
    const found = this.#ranges.get(range);
    if (found !== undefined && request.afterRevision < found.floor) return this.#catchUp(request, sink);
    return (found ?? this.#begin(range, request)).join(request.afterRevision, sink);
  }

  #catchUp(request: WatchRequest, sink: WatchSink): StorageWatch {
    const floorOf = (): number => this.#ranges.get(rangeOf(request))?.floor ?? 0;
    return new LateWatch(request, sink, {
      floorOf,
      watchPast: (own) => this.below.watch(request, own),
      join: (afterRevision) => this.watch({ ...request, afterRevision }, sink),
    });
  }

  #begin(range: string, request: WatchRequest): RangeWatch {
    const shared: RangeWatch = new RangeWatch(request.afterRevision, () => this.#ranges.delete(range));
    this.#ranges.set(range, shared);
    shared.follow((sink) =>
      this.below.watch(request, { ...sink, events: (events) => sink.events(this.#shared(events)) }),
    );
    return shared;
  }

  #shared(events: readonly StorageEvent[]): readonly StorageEvent[] {
    const share = this.#share;
    if (share === undefined) return events;
    const values = share(events.flatMap(({ value }) => value ?? []));
    const before = share(events.flatMap(({ previous }) => previous?.value ?? []));
    let [value, previous] = [0, 0];
    return events.map((event) => ({
      ...event,
      value: event.value && values[value++],
      previous: event.previous && { ...event.previous, value: before[previous++] ?? event.previous.value },
    }));
  }
}

function rangeOf({ start, end }: WatchRequest): string {
  return `${start}\0${end}`;
}

class RangeWatch {
  readonly #onEnd: () => void;
  readonly #members = new Set<Member>();
  #events: StorageEvent[] = [];
  #floor: number;
  #watch: StorageWatch | undefined;

  constructor(afterRevision: number, onEnd: () => void) {
    this.#floor = afterRevision;
    this.#onEnd = onEnd;
  }

  follow(watch: (sink: WatchSink) => StorageWatch): void {
    this.#watch = watch({
      events: (events) => this.#tell(events),
      progress: (revision) => this.#progressed(revision),
      failed: (error) => this.#fail(error),
    });
  }

  /** All changes after this revision are known, or will be told. */
  get floor(): number {
    return this.#floor;
  }

  join(afterRevision: number, sink: WatchSink): StorageWatch {
    const member: Member = { afterRevision, sink, hasBegun: false, progressWanted: false };
    this.#members.add(member);
    // The caller gets its handle before the first event.
    queueMicrotask(() => this.#begin(member));
    return {
      requestProgress: () => {
        member.progressWanted = true;
        if (member.hasBegun && this.#members.has(member)) this.#watch?.requestProgress();
      },
      cancel: () => this.#leave(member),
    };
  }

  #begin(member: Member): void {
    if (!this.#members.has(member)) return;
    member.hasBegun = true;
    deliver(member, this.#events);
    if (member.progressWanted && this.#members.has(member)) this.#watch?.requestProgress();
  }

  #tell(events: readonly StorageEvent[]): void {
    for (const event of events) this.#events.push(event);
    // At most once for each so many.
    if (this.#events.length > 2 * remembered) this.#forget(this.#events.length - remembered);
    for (const member of this.#members) if (member.hasBegun) deliver(member, events);
  }

  #forget(count: number): void {
    // A revision is remembered as a whole.
    this.#floor = this.#events[count - 1]?.revision ?? this.#floor;
    this.#events = this.#events.filter(({ revision }) => revision > this.#floor);
  }

  /** Everybody gets it, whoever asked. */
  #progressed(revision: number): void {
    for (const member of [...this.#members].filter(({ hasBegun }) => hasBegun)) {
      member.progressWanted = false;
      member.sink.progress(revision);
    }
  }

  #fail(error: StorageError): void {
    this.#onEnd();
    const members = [...this.#members];
    this.#members.clear();
    for (const { sink } of members) sink.failed(error);
  }

  #leave(member: Member): void {
    if (!this.#members.delete(member) || this.#members.size > 0) return;
    this.#onEnd();
    this.#watch?.cancel();
  }
}

interface LateSurroundings {
  /** From where on one may join the others. */
  readonly floorOf: () => number;
  readonly watchPast: (sink: WatchSink) => StorageWatch;
  readonly join: (afterRevision: number) => StorageWatch;
}

/** Gets changes of the past from a watch of its own, until it can join the others. */
class LateWatch implements StorageWatch {
  readonly #surroundings: LateSurroundings;
  /** Its own, then the one that it has joined. */
  #watch: StorageWatch;
  /** All changes up to here have been delivered. */
  #position: number;
  #hasJoined = false;
  #progressWanted = false;
  #ended = false;

  constructor({ afterRevision }: WatchRequest, sink: WatchSink, surroundings: LateSurroundings) {
    this.#position = afterRevision;
    this.#surroundings = surroundings;
    this.#watch = surroundings.watchPast({
      events: (events) => {
        if (this.#hasJoined) return;
        sink.events(events);
        this.#moveTo(events.at(-1)?.revision ?? 0);
      },
      progress: (revision) => {
        if (!this.#hasJoined) this.#moveTo(revision);
      },
      failed: (error) => {
        if (!this.#hasJoined) sink.failed(error);
      },
    });
    // Much of the past may have no events.
    this.#watch.requestProgress();
  }

  requestProgress(): void {
    if (this.#hasJoined) this.#watch.requestProgress();
    else this.#progressWanted = true;
  }

  cancel(): void {
    this.#ended = true;
    this.#watch.cancel();
  }

  #moveTo(revision: number): void {
    this.#position = Math.max(this.#position, revision);
    if (this.#ended || this.#position < this.#surroundings.floorOf()) return;
    this.#hasJoined = true;
    this.#watch.cancel();
    this.#watch = this.#surroundings.join(this.#position);
    if (this.#progressWanted) this.#watch.requestProgress();
  }
}

interface Member {
  readonly afterRevision: number;
  readonly sink: WatchSink;
  /** It has got what is remembered. */
  hasBegun: boolean;
  progressWanted: boolean;
}

function deliver({ afterRevision, sink }: Member, events: readonly StorageEvent[]): void {
  const wanted = events.filter(({ revision }) => revision > afterRevision);
  if (wanted.length > 0) sink.events(wanted);
}
