import type { ClientResource, Collection, ReadingClient } from '../../api/client/client.ts';
import { Mirror } from '../../api/client/mirror.ts';
import { pause } from '../../api/scheduling/pause.ts';
import type { StoredCollection, StoredObjects } from '../../api/contracts/stored-objects.ts';
import type { StoredQuota } from '../../admission/plugins/resource-quota/charged-quota.ts';
import type { ControllerContext } from '../controller-context.ts';
import { QuotaNamespace } from './quota-namespace.ts';

const quotas: Collection = { group: '', version: 'v1', resource: 'resourcequotas', namespace: '' };
const resyncMs = 300_000;
/** How often to look for kinds that quotas already count. */
const lookMs = 1000;

/**
 * Keeps `status.used` of quotas. Admission charges what is created; this controller counts what existed before, and
 * releases what is deleted. It watches only kinds that a quota counts, in namespaces that have quotas.
 */
export class ResourceQuotaController implements AsyncDisposable {
  readonly #options: ControllerContext;
  readonly #stop = new AbortController();
  readonly #namespaces = new Map<string, QuotaNamespace>();
  readonly #started: Promise<void>;
  #served: readonly ClientResource[] = [];
  #isLooking = false;

  constructor(options: ControllerContext) {
    this.#options = options;
    const { shared, onError } = options;
    const mirror = new Mirror({
      client: shared,
      collection: quotas,
      set: (object) => this.#namespaceOf(object.metadata.namespace ?? '').set(object as StoredQuota),
      remove: ({ namespace, name }) => this.#remove(namespace, name),
      onError,
      signal: this.#stop.signal,
    });
    this.#started = mirror.startRetrying();
    void this.#repeat(resyncMs, () => this.#resync());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#started;
    await Promise.all([...this.#namespaces.values()].map((namespace) => namespace[Symbol.asyncDispose]()));
  }

  #namespaceOf(namespace: string): QuotaNamespace {
    let known = this.#namespaces.get(namespace);
    if (known === undefined) {
      if (!this.#isLooking) void this.#look();
      known = new QuotaNamespace({ ...this.#options, namespace, stored: storedBy(this.#options.shared) });
      this.#namespaces.set(namespace, known);
    }
    return known;
  }

  #remove(namespace: string, name: string): void {
    const known = this.#namespaces.get(namespace);
    known?.remove(name);
    if (known?.isEmpty !== true) return;
    this.#namespaces.delete(namespace);
    known[Symbol.asyncDispose]().catch(this.#options.onError);
  }

  #resync(): void {
    for (const namespace of this.#namespaces.values()) namespace.recount(0);
  }

  /** As long as there are quotas: kinds that they count may come. */
  async #look(): Promise<void> {
    const { signal } = this.#stop;
    this.#isLooking = true;
    do {
      await pause(lookMs, signal);
      const served = this.#options.shared.resources();
      if (served === this.#served) continue;
      this.#served = served;
      for (const namespace of this.#namespaces.values()) if (namespace.hasUncounted) namespace.recount(0);
    } while (this.#namespaces.size > 0 && !signal.aborted);
    this.#isLooking = false;
  }

  async #repeat(everyMs: number, work: () => void): Promise<void> {
    const { signal } = this.#stop;
    for (await pause(everyMs, signal); !signal.aborted; await pause(everyMs, signal)) work();
  }
}

/** What usage depends on, as a controller reads it. */
function storedBy(client: Pick<ReadingClient, 'list'>): StoredObjects {
  const list = async ({ group, version, plural }: StoredCollection, namespace = '') =>
    (await client.list({ group, version, resource: plural, namespace })).items;
  return {
    list,
    async *scan(collection, namespace) {
      yield* await list(collection, namespace);
    },
    async get(collection, { namespace, name }) {
      return (await list(collection, namespace)).find(({ metadata }) => metadata.name === name);
    },
  };
}
