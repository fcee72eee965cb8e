import { pause } from '../api/scheduling/pause.ts';
import { isReason } from '../api/errors/status.ts';
import { formatTime, timeOf } from '../api/time/time.ts';
import { ControlLoop } from './control-loop.ts';
import type { ControllerContext } from './controller-context.ts';
import { type FollowedObjects, partsOfKey } from './followed-objects.ts';
import { isNeeded, type StoredCidr } from './service-cidr-use.ts';
import { NotYet } from './work-queue.ts';

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
/** When to look again if addresses cannot be watched. */
const retryMs = 1_000;

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
  readonly #context: ControllerContext;
  readonly #loop: ControlLoop;
  readonly #known: FollowedObjects<StoredCidr>;
  /** Whether it waits for an address to be released. */
  #isWaiting = false;

  constructor(context: ControllerContext) {
    this.#context = context;
    const options = { queue: 'ipaddresses', firstDelayMs: 100, longestDelayMs: 8_000 };
    this.#loop = new ControlLoop(context, (key) => this.#work(key), options);
    this.#known = this.#loop.follow(serviceCidrs, {
      keep: (cidr) => cidr as StoredCidr, // decoded by its schema
      changed: ({ now, key }) => {
        if (now !== undefined) this.#loop.queue.add(key);
        this.#retryTerminating();
      },
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#loop[Symbol.asyncDispose]();
  }

  async #work(key: string): Promise<void> {
    const cidr = this.#known.get('', partsOfKey(key).name);
    if (cidr === undefined) return;
    try {
      if (cidr.metadata.deletionTimestamp === undefined) await this.#keep(cidr);
      else await this.#letGo(cidr, key);
    } catch (error) {
      // The bootstrap policy of a new server is about to be written.
      if (isReason(error, 'Forbidden')) throw new NotYet(String(error));
      if (!isReason(error, 'NotFound')) throw error;
    }
  }

  async #keep(cidr: StoredCidr): Promise<void> {
    const { finalizers = [] } = cidr.metadata;
    const kept = finalizers.includes(finalizer) ? cidr : await this.#update(cidr, [...finalizers, finalizer]);
    await this.#say(kept, ready);
  }

  async #letGo(cidr: StoredCidr, key: string): Promise<void> {
    const { finalizers = [], deletionTimestamp = '' } = cidr.metadata;
    if (!finalizers.includes(finalizer)) return;
    const { items: addresses, resourceVersion } = await this.#context.client.list(ipAddresses);
    if (isNeeded(cidr, { cidrs: [...this.#known.all()], addresses })) {
      await this.#say(cidr, terminating);
      if (!this.#isWaiting) void this.#untilRemoval(resourceVersion);
      return;
    }
    const remainingMs = Date.parse(deletionTimestamp) + graceMs - this.#context.clock.now();
    if (remainingMs > 0) this.#loop.queue.addAfter(key, remainingMs);
    else await this.#update(cidr, finalizers.toSpliced(finalizers.indexOf(finalizer), 1));
  }

  #retryTerminating(): void {
    for (const { metadata } of this.#known.all()) {
      if (metadata.deletionTimestamp !== undefined) this.#loop.queue.add(`/${metadata.name}`);
    }
  }

  async #untilRemoval(resourceVersion: string): Promise<void> {
    const { client, onError } = this.#context;
    const { signal } = this.#loop;
    this.#isWaiting = true;
    let delayMs = settleMs;
    try {
      for await (const { type } of client.watch(ipAddresses, { resourceVersion, signal })) {
        if (type === 'DELETED') break;
      }
    } catch (error) {
      if (!signal.aborted) onError(error);
      delayMs = retryMs;
    }
    await pause(delayMs, signal);
    this.#isWaiting = false;
    this.#retryTerminating();
  }

  async #update(cidr: StoredCidr, finalizers: readonly string[]): Promise<StoredCidr> {
    const metadata = { ...cidr.metadata, finalizers: [...finalizers] };
    const updated = await this.#context.client.update(serviceCidrs, { ...cidr, metadata });
    this.#known.learn(updated);
    return updated as StoredCidr; // of the same kind
  }

  async #say(cidr: StoredCidr, condition: Condition): Promise<void> {
    if (says(cidr, condition)) return;
    const { name = '' } = cidr.metadata;
    const lastTransitionTime = formatTime(timeOf(this.#context.clock.now()));
    const configuration = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'ServiceCIDR',
      metadata: { name },
      status: {
        conditions: [
          {
            type: 'Ready',
            ...condition,
            lastTransitionTime,
          },
        ],
      },
    };
    const options = { manager, subresource: 'status' };
    this.#known.learn(await this.#context.client.apply({ ...serviceCidrs, name }, configuration, options));
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
