import { Backoff } from '../api/backoff.ts';
import type { ObjectReference } from '../api/client.ts';
import { Mirror } from '../api/mirror.ts';
import { isReason } from '../api/status.ts';
import { formatTime, timeOf } from '../api/time.ts';
import type { ControllerContext } from './controller-context.ts';
import { pause } from '../api/pause.ts';
import { isNeeded, type StoredCidr } from './service-cidr-use.ts';

const group = { group: 'networking.k8s.io', version: 'v1', namespace: '' };
const serviceCidrs = { ...group, resource: 'servicecidrs' };
const ipAddresses = { ...group, resource: 'ipaddresses' };
const finalizer = 'networking.k8s.io/service-cidr-finalizer';
/** Field manager of the conditions. */
const manager = 'service-cidr-controller';
/** How long other servers may take to see that a range is terminating, and still allocate from it. */
const graceMs = 10_000;
/** Addresses tend to be released in bursts. */
const settleMs = 100;

interface Condition {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

const ready: Condition = { status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready' };
const terminating: Condition = {
  status: 'False',
  reason: 'Terminating',
  message: 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
};

/**
 * Protects ServiceCIDRs whose addresses are in use, and maintains their Ready condition.
 *
 * | a ServiceCIDR              | is                                                    |
 * |----------------------------|-------------------------------------------------------|
 * | stays                      | given the finalizer and the condition of being ready  |
 * | goes and is needed         | given the condition of not being ready                |
 * | goes and is needed no more | let go, some seconds after its deletion               |
 */
export class ServiceCidrController implements AsyncDisposable {
  readonly #options: ControllerContext;
  readonly #stop = new AbortController();
  readonly #cidrs = new Map<string, StoredCidr>();
  readonly #started: Promise<void>;
  readonly #working = new Map<string, Promise<void>>();
  /** Wakes waiters when something changes. */
  #change = Promise.withResolvers<void>();

  constructor(options: ControllerContext) {
    this.#options = options;
    this.#started = this.#start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#tellChange();
    await this.#started;
    await Promise.all(this.#working.values());
  }

  async #start(): Promise<void> {
    const { shared, onError } = this.#options;
    const { signal } = this.#stop;
    const mirror = new Mirror({
      client: shared,
      collection: serviceCidrs,
      set: (object) => this.#notice(object as StoredCidr), // decoded by its schema
      remove: ({ name }) => {
        this.#cidrs.delete(name);
        this.#tellChange();
      },
      onError,
      signal,
    });
    await mirror.startRetrying();
  }

  #notice(cidr: StoredCidr): void {
    const { name = '' } = cidr.metadata;
    if (!this.#learn(cidr)) return;
    if (this.#working.has(name)) return;
    this.#working.set(
      name,
      this.#work(name).finally(() => this.#working.delete(name)),
    );
  }

  #tellChange(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  /** Runs until the ServiceCIDR is gone or in its desired state. */
  async #work(name: string): Promise<void> {
    const { signal } = this.#stop;
    const backoff = new Backoff();
    while (!signal.aborted) {
      const cidr = this.#cidrs.get(name);
      if (cidr === undefined) return;
      const changed = this.#change.promise;
      try {
        const settled =
          cidr.metadata.deletionTimestamp === undefined ? await this.#keep(cidr) : await this.#letGo(cidr);
        if (settled && this.#cidrs.get(name) === cidr) return;
        backoff.startOver();
        continue;
      } catch (error) {
        if (isReason(error, 'NotFound')) return;
        // The bootstrap policy of a new server is about to be written; conflicts trigger another pass.
        if (!isReason(error, 'Forbidden') && !isReason(error, 'Conflict')) this.#options.onError(error);
      }
      await Promise.race([backoff.pause(signal), changed]);
    }
  }

  /** True when nothing had to be written. */
  async #keep(cidr: StoredCidr): Promise<boolean> {
    const { finalizers = [] } = cidr.metadata;
    if (!finalizers.includes(finalizer)) {
      const metadata = { ...cidr.metadata, finalizers: [...finalizers, finalizer] };
      await this.#update({ ...cidr, metadata });
      return false;
    }
    return !(await this.#say(cidr, ready));
  }

  /** True when done. */
  async #letGo(cidr: StoredCidr): Promise<boolean> {
    const { finalizers = [], deletionTimestamp = '' } = cidr.metadata;
    if (!finalizers.includes(finalizer)) return true;
    const { client, clock } = this.#options;
    const changed = this.#change.promise;
    const { items: addresses, resourceVersion } = await client.list(ipAddresses);
    if (isNeeded(cidr, { cidrs: [...this.#cidrs.values()], addresses })) {
      if (!(await this.#say(cidr, terminating))) await this.#waitForRemoval(resourceVersion, changed);
      return false;
    }
    const remainingMs = Date.parse(deletionTimestamp) + graceMs - clock.now();
    if (remainingMs > 0) {
      await pause(remainingMs, this.#stop.signal);
      return false;
    }
    const metadata = { ...cidr.metadata, finalizers: finalizers.filter((other) => other !== finalizer) };
    await this.#update({ ...cidr, metadata });
    return true;
  }

  /** Until an address is released, or a ServiceCIDR changes. */
  async #waitForRemoval(resourceVersion: string, changed: Promise<void>): Promise<void> {
    const waiting = new AbortController();
    const signal = AbortSignal.any([waiting.signal, this.#stop.signal]);
    void changed.then(() => waiting.abort());
    for await (const { type } of this.#options.client.watch(ipAddresses, { resourceVersion, signal })) {
      if (type === 'DELETED') break;
    }
    waiting.abort();
    await pause(settleMs, this.#stop.signal);
  }

  async #update(cidr: StoredCidr): Promise<void> {
    this.#learn((await this.#options.client.update(serviceCidrs, cidr)) as StoredCidr); // of the same kind
  }

  /** False for a state older than the known one. */
  #learn(cidr: StoredCidr): boolean {
    const { name = '' } = cidr.metadata;
    const known = this.#cidrs.get(name);
    if (known !== undefined && known.metadata.uid === cidr.metadata.uid && versionOf(known) >= versionOf(cidr))
      return false;
    this.#cidrs.set(name, cidr);
    this.#tellChange();
    return true;
  }

  /** False when already reported. */
  async #say(cidr: StoredCidr, condition: Condition): Promise<boolean> {
    if (says(cidr, condition)) return false;
    const { name = '' } = cidr.metadata;
    const lastTransitionTime = formatTime(timeOf(this.#options.clock.now()));
    const configuration = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'ServiceCIDR',
      metadata: { name },
      status: { conditions: [{ type: 'Ready', ...condition, lastTransitionTime }] },
    };
    const reference: ObjectReference = { ...serviceCidrs, name };
    const options = { manager, subresource: 'status' };
    this.#learn((await this.#options.client.apply(reference, configuration, options)) as StoredCidr); // of the same kind
    return true;
  }
}

/** Whether the controller has something to do about it. */
export function isUnfinished(cidr: StoredCidr): boolean {
  const { deletionTimestamp, finalizers = [] } = cidr.metadata;
  return deletionTimestamp !== undefined || !finalizers.includes(finalizer) || !says(cidr, ready);
}

function says({ status }: StoredCidr, { status: wanted, reason, message }: Condition): boolean {
  const known = (status?.conditions ?? []).find(({ type }) => type === 'Ready');
  return known?.status === wanted && (known.reason ?? '') === reason && known.message === message;
}

function versionOf({ metadata }: StoredCidr): number {
  return Number(metadata.resourceVersion ?? 0);
}
