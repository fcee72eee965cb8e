import { deadlineIn } from '../../api/time/deadline.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { byteOrdered } from '../../api/collections/ordered-map.ts';
import { StorageError, type StorageEvent, type StorageWatch, type WatchRequest, type WatchSink } from '../contract.ts';
import type { Cluster } from './cluster.ts';
import { storageErrorOf } from './errors.ts';
import type { GrpcCall } from './grpc-call.ts';
import { GrpcError, type GrpcStatus } from './grpc-status.ts';
import { ProgressRequests } from './progress-requests.ts';
import { watchCreateRequest, watchProgressRequest } from './requests.ts';
import { readWatchResponse, type WatchResponse } from './responses.ts';

export interface WatchSurroundings {
  readonly cluster: Cluster;
  readonly currentRevision: () => Promise<number>;
  /** The highest revision this process has seen, without asking etcd. */
  readonly knownRevision: () => number;
  readonly onEnd: (watch: EtcdWatch) => void;
}

interface Waiter {
  readonly revision: number;
  readonly resolve: () => void;
}

/**
 * One watch over one stream to one member. If the stream breaks, another one continues after the last delivered
 * revision:
 *
 * | event on the stream | reaction |
 * |---|---|
 * | events | delivered, in whole revisions; the position moves to the last one |
 * | progress | delivered; the position moves to it |
 * | the stream ends, or its member is gone or has no leader | a new stream starts after the position |
 * | a change without its previous value | likewise; if it comes without again, the watch fails |
 * | the start was compacted, or permission is denied | the watch fails |
 */
export class EtcdWatch implements StorageWatch {
  readonly #cluster: Cluster;
  readonly #currentRevision: () => Promise<number>;
  readonly #knownRevision: () => number;
  readonly #request: WatchRequest;
  readonly #sink: WatchSink;
  readonly #onEnd: (watch: EtcdWatch) => void;
  readonly #start: string;
  readonly #end: string;
  readonly #progress = new ProgressRequests((attempt) => this.#askProgress(attempt));
  readonly #waiters = new Set<Waiter>();
  #stream: GrpcCall | undefined;
  /** Whether etcd has confirmed the watch on this stream. */
  #created = false;
  #progressWanted = false;
  /** Progress below this revision answers an earlier request. */
  #progressNeeded = 0;
  /** All changes up to here have been delivered. */
  #position: number;
  /** The position at which changes were asked for again. */
  #askedAgainAt: number | undefined;
  /** The last revision of a fragment: more of it may follow. */
  #heldBack: readonly StorageEvent[] = [];
  #ended = false;

  constructor(
    request: WatchRequest,
    sink: WatchSink,
    { cluster, currentRevision, knownRevision, onEnd }: WatchSurroundings,
  ) {
    this.#cluster = cluster;
    this.#currentRevision = currentRevision;
    this.#knownRevision = knownRevision;
    this.#request = request;
    this.#sink = sink;
    this.#onEnd = onEnd;
    this.#start = byteOrdered(request.start);
    this.#end = byteOrdered(request.end);
    this.#position = request.afterRevision;
    void this.#connect();
  }

  requestProgress(): void {
    this.#progressNeeded = this.#knownRevision();
    if (this.#created) this.#progress.request();
    else this.#progressWanted = true;
  }

  cancel(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#leaveStream();
    this.#onEnd(this);
  }

  fail(error: StorageError): void {
    if (this.#ended) return;
    this.cancel();
    this.#sink.failed(error);
  }

  /**
   * Resolves when the key's change at `revision` has been delivered; undefined if it is outside of the watch or there
   * is no stream.
   */
  reached(orderedKey: string, revision: number): Promise<void> | undefined {
    if (this.#stream === undefined || this.#position >= revision) return undefined;
    if (orderedKey < this.#start || orderedKey >= this.#end) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiters.add({ revision, resolve });
    return promise;
  }

  async #connect(): Promise<void> {
    while (!this.#ended) {
      if (this.#follow()) return;
      // Rejects after a while, or when the cluster is closed, which ends the watch too.
      await this.#cluster.connected(deadlineIn(reconnectLimitMs)).catch(() => undefined);
    }
  }

  /** False: no member is connected. */
  #follow(): boolean {
    const stream = this.#cluster.openWatch({
      message: (bytes) => {
        if (this.#stream === stream) this.#take(bytes);
      },
      ended: (error) => {
        if (this.#stream === stream) this.#lost(error);
      },
    });
    if (stream === undefined) return false;
    this.#stream = stream;
    const { start, end } = this.#request;
    stream.write(watchCreateRequest(Buffer.from(start), Buffer.from(end), this.#position + 1));
    return true;
  }

  #lost(error: GrpcError | undefined): void {
    this.#leaveStream();
    if (error !== undefined && notAllowed.has(error.code)) {
      this.fail(storageErrorOf(error, 'read'));
      return;
    }
    void sleep(reconnectDelayMs, undefined, { ref: false }).then(() => this.#connect());
  }

  #leaveStream(): void {
    const stream = this.#stream;
    this.#stream = undefined;
    this.#progressWanted ||= this.#progress.isWaiting;
    this.#progress.stop();
    this.#created = false;
    this.#heldBack = [];
    stream?.fail(new GrpcError('CANCELLED', 'the watch has ended'));
    for (const waiter of this.#waiters) waiter.resolve();
    this.#waiters.clear();
  }

  #take(bytes: Buffer): void {
    const response = readWatchResponse(bytes);
    if (response.canceled) this.#canceled(response);
    else if (response.created) this.#confirmed();
    else if (response.events.length > 0 || response.previousLost) this.#tell(response);
    else this.#reached(response);
  }

  #canceled({ compactRevision: revision, reason }: WatchResponse): void {
    if (revision > 0) {
      this.fail(
        new StorageError('compacted', `required revision has been compacted; the oldest is ${revision}`, { revision }),
      );
    } else if (reason.includes('permission denied')) {
      this.fail(new StorageError('refused', reason));
    } else {
      this.#lost(undefined);
    }
  }

  #confirmed(): void {
    this.#created = true;
    if (!this.#progressWanted) return;
    this.#progressWanted = false;
    this.#progress.request();
  }

  #tell({ events, fragment: cut, previousLost }: WatchResponse): void {
    const fragment = cut || previousLost;
    const all = this.#heldBack.length === 0 ? events : [...this.#heldBack, ...events];
    const last = all.at(-1)?.revision ?? 0;
    const whole = fragment ? all.filter(({ revision }) => revision < last) : all;
    this.#heldBack = fragment ? all.filter(({ revision }) => revision === last) : [];
    if (whole.length > 0) {
      this.#sink.events(whole);
      this.#moveTo(whole.at(-1)?.revision ?? 0);
    }
    if (previousLost) this.#askAgain();
  }

  /**
   * For a change that came without its previous value: etcd does not look for those of changes that are made while it
   * creates a watch. If it comes without again, the value has been compacted.
   */
  #askAgain(): void {
    if (this.#askedAgainAt === this.#position) {
      this.fail(new StorageError('compacted', 'the previous value of a change has been compacted'));
      return;
    }
    this.#askedAgainAt = this.#position;
    this.#lost(undefined);
  }

  #askProgress(attempt: number): void {
    this.#stream?.write(watchProgressRequest());
    // Nor does etcd answer for a watch that starts in the future, although it has everything there is.
    if (attempt > 0) void this.#compareWithStore(this.#stream);
  }

  async #compareWithStore(stream: GrpcCall | undefined): Promise<void> {
    const revision = await this.#currentRevision().catch(() => Infinity);
    if (this.#stream !== stream || revision > this.#position || !this.#progress.isWaiting) return;
    this.#sink.progress(revision);
    this.#progress.answered();
  }

  #reached({ revision, watchId }: WatchResponse): void {
    this.#moveTo(revision);
    // Others are etcd's own, every ten minutes.
    const isResponse = watchId === allWatches;
    // Requests are repeated, so responses may be late or redundant.
    if (isResponse && (!this.#progress.isWaiting || revision < this.#progressNeeded)) return;
    this.#sink.progress(revision);
    if (isResponse && !this.#ended) this.#progress.answered();
  }

  #moveTo(revision: number): void {
    if (revision <= this.#position) return;
    this.#position = revision;
    for (const waiter of this.#waiters) {
      if (waiter.revision > revision) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }
}

const allWatches = -1;
const reconnectDelayMs = 100;
const reconnectLimitMs = 60_000;
const notAllowed: ReadonlySet<GrpcStatus> = new Set(['PERMISSION_DENIED', 'UNAUTHENTICATED']);
