import type { Client } from '../../api/client/client.ts';
import type { Clock } from '../../api/time/clock.ts';
import { isReason } from '../../api/errors/status.ts';
import type { LeaseTimes } from '../../controllers/controllers-config.ts';
import { formatMicroTime, timeOf } from '../../api/time/time.ts';
import { Deadlines } from '../../controllers/deadlines.ts';
import type { StoredLease } from '../../controllers/stored-lease.ts';
import { HeldLease, leases } from './held-lease.ts';

export interface LeaderElectionOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** The Lease, in `kube-system`. */
  readonly lease: string;
  /** The unique identity of this server. */
  readonly identity: string;
  readonly times: LeaseTimes;
  /** Called when this server becomes or stops being the leader. */
  readonly changed: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Elects one of several servers through a Lease.
 *
 * | the Lease                   | this server                                       |
 * |-----------------------------|---------------------------------------------------|
 * | is free or expired | tries to take it; one of several writes succeeds |
 * | is its own                  | leads, and renews it                              |
 * | is its own, renewal fails | steps down before it expires |
 * | is another's | waits for a change |
 */
export class LeaderElection implements AsyncDisposable {
  readonly #options: LeaderElectionOptions;
  readonly #stop = new AbortController();
  readonly #held: HeldLease;
  /** When the Lease is to be renewed, or tried again. */
  readonly #next: Deadlines;
  #leads = false;
  #renewedMs = 0;
  #writing: Promise<void> | undefined;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#next = new Deadlines(() => this.#consider(), options.clock);
    const { lease: name, ...rest } = options;
    this.#held = new HeldLease({ ...rest, name, changed: () => this.#consider(), signal: this.#stop.signal });
  }

  get leads(): boolean {
    return this.#leads;
  }

  /** Resolves after the first attempt to acquire the Lease. */
  async start(): Promise<void> {
    await this.#held.start();
    this.#consider();
    await this.#writing;
  }

  /** Releases the Lease. The caller must have stopped all of a leader's work. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#next[Symbol.dispose]();
    await this.#writing;
    const { lease } = this.#held;
    if (!this.#leads || lease === undefined) return;
    this.#leads = false;
    const spec = { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: this.#now() };
    await this.#options.client.update(leases, { ...lease, spec }).catch(this.#options.onError);
  }

  #consider(): void {
    if (this.#stop.signal.aborted) return;
    const { holder } = this.#held;
    if (holder !== '' && holder !== this.#options.identity) this.#lead(false);
    else this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
  }

  /** Takes or renews the Lease. */
  async #write(): Promise<void> {
    const { client, onError, times } = this.#options;
    const beganMs = performance.now();
    let nextMs = times.renewEveryMs;
    try {
      const wanted = this.#wanted(this.#held.lease);
      const isNew = wanted.metadata.resourceVersion === undefined;
      const written = await (isNew ? client.create(leases, wanted) : client.update(leases, wanted));
      this.#held.learn(written as StoredLease); // of the same kind
      this.#renewedMs = beganMs;
      this.#lead(true);
    } catch (error) {
      nextMs = times.retryMs;
      if (this.#leads && performance.now() - this.#renewedMs >= times.stepDownMs) this.#lead(false);
      // Another server was faster; the watch reports which.
      if (!isReason(error, 'Conflict') && !isReason(error, 'AlreadyExists')) onError(error);
    }
    this.#next.clear(this.#options.lease);
    if (!this.#stop.signal.aborted) this.#next.set(this.#options.lease, nextMs);
  }

  #wanted(lease: StoredLease | undefined): StoredLease {
    const { identity, lease: name, times } = this.#options;
    const now = this.#now();
    const { namespace } = leases;
    const known: StoredLease = lease ?? {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name, namespace },
    };
    const before = known.spec ?? {};
    const isOwn = before.holderIdentity === identity;
    const taken = isOwn ? {} : { acquireTime: now, leaseTransitions: (before.leaseTransitions ?? -1) + 1 };
    const spec = {
      ...before,
      ...taken,
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(times.durationMs / 1000),
      renewTime: now,
    };
    return { ...known, spec };
  }

  #now(): string {
    return formatMicroTime(timeOf(this.#options.clock.now()));
  }

  #lead(leads: boolean): void {
    if (leads === this.#leads) return;
    this.#leads = leads;
    if (!leads) this.#next.clear(this.#options.lease);
    this.#options.changed();
  }
}
