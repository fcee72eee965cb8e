import { deadlineIn, settledBy } from '../../api/time/deadline.ts';
import {
  type CallOptions,
  type DeleteRequest,
  type GetResult,
  type PutRequest,
  type RangeRequest,
  type RangeResult,
  type Storage,
  StorageError,
  type StorageWatch,
  type WatchRequest,
  type WatchSink,
  type WriteResult,
} from '../contract.ts';
import { checkMessageSize } from '../message-limit.ts';
import { ownBytes } from '../own-bytes.ts';
import { Cluster, methods } from './cluster.ts';
import { closedError, isLeaseMissing } from './errors.ts';
import { type LeaseOptions, Leases } from './leases.ts';
import {
  compactionRequest,
  deleteTransaction,
  leaseGrantRequest,
  putTransaction,
  type RangeOptions,
  rangeRequest,
} from './requests.ts';
import {
  type RangeResponse,
  readLeaseGrantResponse,
  readRangeResponse,
  readStatusResponse,
  readTransactionResponse,
} from './responses.ts';
import type { EtcdConnection } from './servers.ts';
import { SharedRead } from './shared-read.ts';
import { requireUsableVersion } from './version.ts';
import { Watches } from './watches.ts';

export interface EtcdOptions extends EtcdConnection {
  /** How much longer than its TTL a key may exist because its lease is shared. */
  readonly leaseReuseSeconds?: number;
  /** Called with the number of keys attached to a lease, when it gets no more. */
  readonly onLeaseReplaced?: (keys: number) => void;
  readonly timeouts?: Partial<EtcdTimeouts>;
}

/** Timeouts of calls, including connecting. */
export interface EtcdTimeouts {
  readonly connectMs: number;
  readonly readMs: number;
  readonly writeMs: number;
}

/** kube-apiserver's. */
const defaultTimeouts: EtcdTimeouts = { connectMs: 20_000, readMs: 60_000, writeMs: 34_000 };

const memberTimeoutMs = 5000;

/** Keys per response; longer ranges take several calls at one revision. */
const pageKeys = 10_000;

/** Connects to etcd. Rejects with a StorageError if it is unreachable or too old. */
export async function openEtcdStorage(options: EtcdOptions): Promise<EtcdStorage> {
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const cluster = new Cluster(options);
  try {
    const status = await cluster.read(methods.status, Buffer.alloc(0), deadlineIn(timeouts.connectMs));
    requireUsableVersion(readStatusResponse(status).version);
  } catch (error) {
    cluster.close();
    throw error;
  }
  const { leaseReuseSeconds: reuseSeconds, onLeaseReplaced: onReplaced } = options;
  return new EtcdStorage(cluster, timeouts, { reuseSeconds, onReplaced });
}

export class EtcdStorage implements Storage {
  /** For requests beyond the contract. */
  readonly cluster: Cluster;
  readonly #timeouts: EtcdTimeouts;
  readonly #leases: Leases;
  readonly #watches: Watches;
  readonly #revision = new SharedRead(() => this.#readRevision());
  /** The highest revision in any response. */
  #known = 0;
  #closed = false;

  constructor(cluster: Cluster, timeouts: EtcdTimeouts, leases?: LeaseOptions) {
    this.cluster = cluster;
    this.#timeouts = timeouts;
    this.#leases = new Leases((seconds) => this.#grantLease(seconds), leases);
    this.#watches = new Watches({
      cluster,
      currentRevision: () => this.currentRevision(),
      knownRevision: () => this.#known,
    });
  }

  async get(key: string, options: { readonly revision?: number } & CallOptions = {}): Promise<GetResult> {
    const { revision: requested, ...call } = options;
    const at = requested === undefined ? {} : { revision: requested };
    const { kvs, revision } = await this.#range({ key: Buffer.from(key), ...at }, call);
    return { kv: kvs[0], revision };
  }

  async range({ start, end, limit, revision: requested, ...call }: RangeRequest): Promise<RangeResult> {
    const wanted = limit === undefined || limit <= 0 ? Infinity : limit;
    const read = (key: string, missing: number, revision: number | undefined): Promise<RangeResponse> => {
      const at = revision === undefined ? {} : { revision };
      const options = { key: Buffer.from(key), end: Buffer.from(end), limit: Math.min(missing, pageKeys), ...at };
      return this.#range(options, call);
    };
    const first = await read(start, wanted, requested);
    const kvs = [...first.kvs];
    let { more } = first;
    while (more && kvs.length < wanted) {
      const page = await read(`${kvs.at(-1)?.key ?? ''}\0`, wanted - kvs.length, requested ?? first.revision);
      for (const kv of page.kvs) kvs.push(kv);
      ({ more } = page);
    }
    return { kvs, revision: first.revision, more, count: first.count };
  }

  async put(request: PutRequest): Promise<WriteResult> {
    const { ttlSeconds } = request;
    if (ttlSeconds === undefined) return this.#transact(request, putTransaction(request, 0n));
    for (let attempt = 0; ; attempt++) {
      const lease = await this.#leases.take(ttlSeconds);
      try {
        return await this.#transact(request, putTransaction(request, lease));
      } catch (error) {
        if (attempt > 0 || !(error instanceof StorageError) || !isLeaseMissing(error.cause)) throw error;
        this.#leases.forget(lease);
      }
    }
  }

  async delete(request: DeleteRequest): Promise<WriteResult> {
    // For etcd, deleting an absent key succeeds.
    if (request.expectedModRevision === 0) {
      const { key, deadlineMs } = request;
      const { kv, revision } = await this.get(key, deadlineMs === undefined ? {} : { deadlineMs });
      return { succeeded: false, current: kv, revision };
    }
    return this.#transact(request, deleteTransaction(request));
  }

  watch(request: WatchRequest, sink: WatchSink): StorageWatch {
    const watch = this.#watches.watch(request, sink);
    if (this.#closed) this.#watches.close(closedError());
    return watch;
  }

  /** The read is shared with callers whose deadline may be later. */
  async currentRevision({ deadlineMs }: CallOptions = {}): Promise<number> {
    const reading = this.#revision.read();
    if (deadlineMs === undefined || deadlineMs >= deadlineIn(this.#timeouts.readMs)) return reading;
    return settledBy(deadlineMs, reading, () => new StorageError('timeout', 'etcd did not respond in time'));
  }

  async compact(revision: number): Promise<void> {
    await this.#write(methods.compact, compactionRequest(revision));
    this.cluster.compactedAt(revision);
  }

  get compactedRevision(): number {
    return this.cluster.compactedRevision;
  }

  async check(): Promise<void> {
    await this.#readRevision();
  }

  /** Reads a key, which need not exist. */
  async probe(key: string, untilMs: number): Promise<void> {
    await this.cluster.read(methods.range, rangeRequest({ key: Buffer.from(key) }).finish(), untilMs);
  }

  /** Database size of one member. */
  async databaseBytes(): Promise<number> {
    const status = await this.cluster.read(methods.status, Buffer.alloc(0), deadlineIn(memberTimeoutMs));
    return readStatusResponse(status).databaseBytes;
  }

  /** Throws if the member does not answer. */
  async checkMember(name: string): Promise<void> {
    await this.cluster.ask(name, methods.status, deadlineIn(memberTimeoutMs));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#watches.close(closedError());
    this.cluster.close();
  }

  async #readRevision(): Promise<number> {
    const { revision } = await this.#range({ key: Buffer.alloc(1), countOnly: true });
    return revision;
  }

  async #range(options: RangeOptions, { deadlineMs = Infinity }: CallOptions = {}): Promise<RangeResponse> {
    const request = rangeRequest(options).finish();
    const untilMs = Math.min(deadlineMs, deadlineIn(this.#timeouts.readMs));
    try {
      const bytes = await this.cluster.read(methods.range, request, untilMs);
      // Values are views of it, and it may be a view of much more.
      const response = readRangeResponse(options.countOnly === true ? bytes : ownBytes(bytes));
      this.#known = Math.max(this.#known, response.revision);
      return response;
    } catch (error) {
      throw error instanceof StorageError && error.code === 'future-revision' ? await this.#future(error) : error;
    }
  }

  /** etcd does not include its current revision. */
  async #future(error: StorageError): Promise<StorageError> {
    const revision = await this.currentRevision().catch(() => undefined);
    return revision === undefined
      ? error
      : new StorageError(error.code, error.message, { cause: error.cause, revision });
  }

  async #transact({ key, deadlineMs }: DeleteRequest | PutRequest, transaction: Buffer): Promise<WriteResult> {
    checkMessageSize(transaction.length);
    const bytes = await this.#write(methods.transaction, transaction, deadlineMs);
    const { succeeded, revision, found } = readTransactionResponse(bytes);
    this.#known = Math.max(this.#known, revision);
    if (!succeeded) return { succeeded, current: found, revision };
    await this.#watches.reached(key, revision);
    return { succeeded, revision };
  }

  /** If the grant is in doubt, the write is not: it has not been sent. */
  async #grantLease(ttlSeconds: number): Promise<bigint> {
    try {
      const bytes = await this.#write(methods.leaseGrant, leaseGrantRequest(ttlSeconds));
      const { id, error } = readLeaseGrantResponse(bytes);
      if (error !== '') throw new StorageError('unavailable', error);
      return id;
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'unknown') throw error;
      throw new StorageError('unavailable', error.message, { cause: error.cause });
    }
  }

  #write(
    method: (typeof methods)['transaction' | 'compact' | 'leaseGrant'],
    request: Buffer,
    deadlineMs = Infinity,
  ): Promise<Buffer> {
    return this.cluster.write(method, request, Math.min(deadlineMs, deadlineIn(this.#timeouts.writeMs)));
  }
}
