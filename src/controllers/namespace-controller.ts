import type { Collection } from '../api/client/client.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { pauseOn } from '../api/scheduling/pause.ts';
import { isReason } from '../api/errors/status.ts';
import { formatTime } from '../api/time/time.ts';
import type { Namespace } from '../schema/kubernetes/generated/types/core-v1.ts';
import { ControlLoop } from './control-loop.ts';
import type { ControllerContext } from './controller-context.ts';
import { type FollowedObjects, partsOfKey } from './followed-objects.ts';
import { nextConditions, type Remains } from './namespace-conditions.ts';
import { type Content, deleteContent } from './namespace-content.ts';
import { NotYet } from './work-queue.ts';

const namespaces: Collection = { group: '', version: 'v1', resource: 'namespaces', namespace: '' };
const contentFinalizer = 'kubernetes';
/** Changes come in bursts. */
const settleMs = 50;
/** When to look at a namespace again whose content cannot be watched. */
const retryMs = 1_000;

type StoredNamespace = KubernetesObject & Namespace;

/**
 * Empties and finalizes terminating namespaces, including those of an earlier run.
 *
 * One pass over a namespace deletes its contents and reports in conditions what remains. When nothing remains it
 * removes `kubernetes` from `spec.finalizers`, which deletes the namespace. Otherwise the next pass runs when a
 * remaining object is modified or deleted.
 */
export class NamespaceController implements AsyncDisposable {
  readonly #context: ControllerContext;
  readonly #loop: ControlLoop;
  readonly #terminating: FollowedObjects<KubernetesObject>;
  /** What ends the waiting for changes in namespaces. */
  readonly #waiting = new Map<string, AbortController>();

  constructor(context: ControllerContext) {
    this.#context = context;
    const options = { queue: 'namespace', workers: 10, firstDelayMs: 100, longestDelayMs: 8_000 };
    this.#loop = new ControlLoop(context, (key) => this.#finish(partsOfKey(key).name), options);
    this.#terminating = this.#loop.follow(namespaces, {
      keep: (namespace) => (namespace.metadata.deletionTimestamp === undefined ? undefined : namespace),
      changed: ({ now, key }) => {
        if (now !== undefined) this.#loop.queue.add(key);
      },
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#loop[Symbol.asyncDispose]();
  }

  /** One pass. */
  async #finish(name: string): Promise<void> {
    this.#waiting.get(name)?.abort();
    this.#waiting.delete(name);
    const namespace = await this.#read(name);
    if (namespace === undefined || !isOurs(namespace)) return;
    const deletedMs = Date.parse(namespace.metadata.deletionTimestamp ?? '');
    const content = await deleteContent(this.#context, { name, deletedMs });
    await this.#tell(name, content.remains);
    const hasFailed = content.remains.errors.length > 0 || (content.remains.unknown ?? []).length > 0;
    if (content.waitFor.length > 0 || hasFailed) {
      void this.#waitForChange(name, content);
      if (hasFailed) throw new NotYet(`content of namespace ${name} could not be deleted`);
      return;
    }
    await this.#retryOnConflict(name, async (latest) => {
      if (!isOurs(latest)) return;
      const finalizers = (latest.spec?.finalizers ?? []).filter((finalizer) => finalizer !== contentFinalizer);
      await this.#context.client.update(namespaces, { ...latest, spec: { ...latest.spec, finalizers } }, 'finalize');
    });
  }

  /** Reports in the conditions what remains. */
  async #tell(name: string, remains: Remains): Promise<void> {
    await this.#retryOnConflict(name, async (latest) => {
      const now = formatTime({ epochMs: this.#context.clock.now() });
      const conditions = nextConditions(latest.status?.conditions ?? [], remains, now);
      if (conditions === undefined) return;
      const status = { ...latest.status, conditions };
      this.#terminating.learn(await this.#context.client.update(namespaces, { ...latest, status }, 'status'));
    });
  }

  async #retryOnConflict(name: string, write: (latest: StoredNamespace) => Promise<void>): Promise<void> {
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

  async #read(name: string): Promise<StoredNamespace | undefined> {
    try {
      return (await this.#context.client.get({ ...namespaces, name })) as StoredNamespace; // decoded by its schema
    } catch (error) {
      if (isReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  /** Begins another pass when a remaining object changes, or grace periods end. */
  async #waitForChange(name: string, { waitFor, gracefulUntilMs }: Content): Promise<void> {
    const { client, clock, onError } = this.#context;
    const enough = new AbortController();
    this.#waiting.set(name, enough);
    const signal = AbortSignal.any([this.#loop.signal, enough.signal]);
    const changes = waitFor.map(async ({ collection, resourceVersion }) => {
      for await (const _ of client.watch(collection, { resourceVersion, signal })) break;
    });
    if (gracefulUntilMs !== undefined) changes.push(pauseOn(clock, Math.max(0, gracefulUntilMs - clock.now()), signal));
    if (changes.length === 0) return;
    let delayMs = settleMs;
    try {
      await Promise.race(changes);
    } catch (error) {
      if (!signal.aborted) onError(error);
      delayMs = retryMs;
    }
    if (this.#waiting.get(name) === enough) this.#loop.queue.addAfter(`/${name}`, delayMs);
    enough.abort();
    await Promise.allSettled(changes);
  }
}

function isOurs({ metadata, spec }: StoredNamespace): boolean {
  return metadata.deletionTimestamp !== undefined && (spec?.finalizers ?? []).includes(contentFinalizer);
}
