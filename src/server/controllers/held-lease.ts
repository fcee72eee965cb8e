import type { ReadingClient } from '../../api/client/client.ts';
import type { Clock } from '../../api/time/clock.ts';
import { Mirror } from '../../api/client/mirror.ts';
import { Deadlines } from '../../controllers/deadlines.ts';
import type { StoredLease } from '../../controllers/stored-lease.ts';

export const leases = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', namespace: 'kube-system' };

export interface HeldLeaseOptions {
  readonly client: ReadingClient;
  readonly clock: Clock;
  /** In `kube-system`. */
  readonly name: string;
  /** Called when somebody else holds it, or nobody does any more. */
  readonly changed: () => void;
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/**
 * The holder of a Lease. Clocks of other machines are not believed: a holder has it for as long as it lasts after each
 * change that is seen here; only one that was there before counts from when it says that it was renewed.
 */
export class HeldLease {
  readonly #options: HeldLeaseOptions;
  #lease: StoredLease | undefined;
  #holder = '';
  readonly #expiry: Deadlines;
  #isFirst = true;

  constructor(options: HeldLeaseOptions) {
    this.#options = options;
    this.#expiry = new Deadlines(() => this.#set(''), options.clock);
    options.signal.addEventListener('abort', () => this.#expiry[Symbol.dispose](), { once: true });
  }

  /** Empty if not held. */
  get holder(): string {
    return this.#holder;
  }

  /** As last seen. */
  get lease(): StoredLease | undefined {
    return this.#lease;
  }

  /** Resolves when the holder is known. */
  async start(): Promise<void> {
    const { client, name, onError, signal } = this.#options;
    const mirror = new Mirror({
      client,
      collection: leases,
      set: (object) => {
        if (object.metadata.name === name) this.learn(object as StoredLease); // decoded by its schema
      },
      remove: (gone) => {
        if (gone.name === name) this.learn(undefined);
      },
      onError,
      signal,
    });
    await mirror.startRetrying();
    this.#isFirst = false;
  }

  /** Applies an own write before its watch event arrives. */
  learn(lease: StoredLease | undefined): void {
    if (lease !== undefined && lease.metadata.resourceVersion === this.#lease?.metadata.resourceVersion) return;
    this.#lease = lease;
    this.#expiry.clear(this.#options.name);
    const { holderIdentity = '', leaseDurationSeconds = 0, renewTime = '' } = lease?.spec ?? {};
    const ageMs = this.#isFirst ? Math.max(0, this.#options.clock.now() - Date.parse(renewTime)) : 0;
    const leftMs = leaseDurationSeconds * 1000 - (Number.isNaN(ageMs) ? Infinity : ageMs);
    if (holderIdentity === '' || leftMs <= 0) {
      this.#set('');
      return;
    }
    this.#expiry.set(this.#options.name, leftMs);
    this.#set(holderIdentity);
  }

  #set(holder: string): void {
    if (holder === this.#holder) return;
    this.#holder = holder;
    this.#options.changed();
  }
}
