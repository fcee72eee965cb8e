import { Backoff } from '../api/backoff.ts';
import type { Collection } from '../api/client.ts';
import { Mirror } from '../api/mirror.ts';
import type { KubernetesObject } from '../api/object.ts';
import { isReason } from '../api/status.ts';
import { formatTime } from '../api/time.ts';
import type { Namespace } from '../schema/kubernetes/generated/types/core-v1.ts';
import type { ControllerContext } from './controller-context.ts';
import { nextConditions, type Remains } from './namespace-conditions.ts';
import { type Content, deleteContent } from './namespace-content.ts';
import { pause, pauseOn } from '../api/pause.ts';

const namespaces: Collection = { group: '', version: 'v1', resource: 'namespaces', namespace: '' };
const contentFinalizer = 'kubernetes';
const settleMs = 50;

/**
 * Empties and finalizes terminating namespaces, including those of an earlier run.
 *
 * One pass over a namespace deletes its contents and reports in conditions what remains. When nothing remains it
 * removes `kubernetes` from `spec.finalizers`, which deletes the namespace. Otherwise the next pass runs when a
 * remaining object is modified or deleted.
 */
export class NamespaceController implements AsyncDisposable {
  readonly #options: ControllerContext;
  readonly #stop = new AbortController();
  /** Namespaces in progress. */
  readonly #working = new Map<string, Promise<void>>();
  readonly #following: Promise<void>;

  constructor(options: ControllerContext) {
    this.#options = options;
    const { shared, onError } = options;
    const mirror = new Mirror({
      ...{ client: shared, collection: namespaces, onError, signal: this.#stop.signal },
      set: (namespace) => this.#notice(namespace),
      remove: () => undefined,
    });
    this.#following = mirror.startRetrying();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#following;
    await Promise.all(this.#working.values());
  }

  #notice(namespace: KubernetesObject): void {
    const { name = '', deletionTimestamp } = namespace.metadata;
    if (deletionTimestamp === undefined || this.#working.has(name)) return;
    this.#working.set(
      name,
      this.#finish(name).finally(() => this.#working.delete(name)),
    );
  }

  /** Works on one namespace until it is gone or held by others. */
  async #finish(name: string): Promise<void> {
    const { signal } = this.#stop;
    const backoff = new Backoff();
    while (!signal.aborted) {
      try {
        const content = await this.#options.queues.of('namespace').run(() => this.#pass(name));
        if (content === undefined) return;
        if (content === 'finalized') continue;
        if (!hasFailed(content)) backoff.startOver();
        await this.#untilSomethingChanges(content, backoff);
      } catch (error) {
        this.#options.onError(error);
        await backoff.pause(signal);
      }
    }
  }

  /**
   * One pass; returns what remains. Undefined when there is nothing to do: the namespace is gone, active, or held by
   * others.
   */
  async #pass(name: string): Promise<Content | 'finalized' | undefined> {
    const { client } = this.#options;
    const namespace = await this.#read(name);
    if (namespace === undefined || !isOurs(namespace)) return undefined;
    const deletedMs = Date.parse(namespace.metadata.deletionTimestamp ?? '');
    const content = await deleteContent(this.#options, { name, deletedMs });
    await this.#tell(name, content.told);
    if (content.waitFor.length > 0 || hasFailed(content)) return content;
    await this.#retryOnConflict(name, async (latest) => {
      if (!isOurs(latest)) return;
      const finalizers = (latest.spec?.finalizers ?? []).filter((finalizer) => finalizer !== contentFinalizer);
      await client.update(namespaces, { ...latest, spec: { ...latest.spec, finalizers } }, 'finalize');
    });
    return 'finalized';
  }

  /** Reports what remains in the conditions. */
  async #tell(name: string, remains: Remains): Promise<void> {
    const { client, clock } = this.#options;
    await this.#retryOnConflict(name, async (latest) => {
      const conditions = nextConditions(latest.status?.conditions ?? [], remains, formatTime({ epochMs: clock.now() }));
      if (conditions === undefined) return;
      await client.update(namespaces, { ...latest, status: { ...latest.status, conditions } }, 'status');
    });
  }

  async #retryOnConflict(name: string, write: (latest: KubernetesObject & Namespace) => Promise<void>): Promise<void> {
    for (;;) {
      const latest = await this.#read(name);
      if (latest === undefined) return;
      try {
        await write(latest);
        return;
      } catch (error) {
        if (isReason(error, 'NotFound')) return;
        if (!isReason(error, 'Conflict')) throw error;
      }
    }
  }

  async #read(name: string): Promise<(KubernetesObject & Namespace) | undefined> {
    try {
      return (await this.#options.client.get({ ...namespaces, name })) as KubernetesObject & Namespace; // decoded by its schema
    } catch (error) {
      if (isReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  /** Resolves when a remaining object changes or grace periods end; after a failure at the latest after the backoff. */
  async #untilSomethingChanges(content: Content, backoff: Backoff): Promise<void> {
    const { waitFor, gracefulUntilMs } = content;
    const { client, clock } = this.#options;
    const enough = new AbortController();
    const signal = AbortSignal.any([this.#stop.signal, enough.signal]);
    const changes = waitFor.map(async ({ collection, resourceVersion }) => {
      for await (const _ of client.watch(collection, { resourceVersion, signal })) break;
    });
    if (hasFailed(content)) changes.push(backoff.pause(signal));
    if (gracefulUntilMs !== undefined) changes.push(pauseOn(clock, Math.max(0, gracefulUntilMs - clock.now()), signal));
    try {
      await Promise.race(changes);
    } finally {
      enough.abort();
      await Promise.allSettled(changes);
    }
    // Changes come in bursts.
    await pause(settleMs, this.#stop.signal);
  }
}

/** Whether there may be unknown ones. */
function hasFailed({ told: { errors, unknown = [] } }: Content): boolean {
  return errors.length > 0 || unknown.length > 0;
}

function isOurs({ metadata, spec }: KubernetesObject & Namespace): boolean {
  return metadata.deletionTimestamp !== undefined && (spec?.finalizers ?? []).includes(contentFinalizer);
}
