import type { Client, ClientDeleteOptions, ClientResource, Collection } from '../api/client/client.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { isReason } from '../api/errors/status.ts';
import type { Pod } from '../schema/kubernetes/generated/types/core-v1.ts';
import type { ControllerContext } from './controller-context.ts';
import type { Remains } from './namespace-conditions.ts';

/** What remains in a namespace. */
export interface Content {
  /** What the conditions report. */
  readonly remains: Remains;
  /** Collections that were not empty, with the resource version at which to wait for deletions. */
  readonly waitFor: readonly { readonly collection: Collection; readonly resourceVersion: string }[];
  /** End of the longest grace period of the remaining pods; undefined when none is running. */
  readonly gracefulUntilMs: number | undefined;
}

export interface EmptiedNamespace {
  readonly name: string;
  readonly deletedMs: number;
}

const concurrency = 16;

/**
 * Deletes everything in a namespace: pods first, the rest once no pod remains, so that pods keep what they use to the
 * end.
 */
export async function deleteContent(
  { client, clock }: Pick<ControllerContext, 'client' | 'clock'>,
  namespace: EmptiedNamespace,
): Promise<Content> {
  const resources = client.resources().filter(({ namespaced, verbs }) => namespaced && verbs.includes('delete'));
  const isPods = ({ group, resource }: ClientResource): boolean => group === '' && resource === 'pods';
  const tally = new Tally(client, { ...namespace, nowMs: clock.now() });
  for (const resource of resources.filter(isPods)) await tally.empty(resource, 'failed to delete pods for namespace: ');
  // Like the reference, conditions do not report remaining pods.
  if (tally.waitFor.length > 0) return { ...tally.content, remains: { ...nothing, errors: tally.errors } };
  for (const resource of resources.filter((each) => !isPods(each))) await tally.empty(resource);
  const remote = client.remoteResources();
  for (const resource of remote.resources.filter(isDeleted)) await tally.empty(resource);
  return { ...tally.content, remains: { ...tally.content.remains, unknown: remote.unknown } };
}

function isDeleted({ namespaced, verbs }: ClientResource): boolean {
  return namespaced && verbs.includes('delete') && verbs.includes('list');
}

const nothing: Remains = { objects: new Map(), finalizers: new Map(), errors: [] };

class Tally {
  readonly errors: string[] = [];
  readonly waitFor: { collection: Collection; resourceVersion: string }[] = [];
  readonly #client: Client;
  readonly #namespace: EmptiedNamespace & { readonly nowMs: number };
  readonly #objects = new Map<string, number>();
  readonly #finalizers = new Map<string, number>();
  #gracefulUntilMs: number | undefined;

  constructor(client: Client, namespace: EmptiedNamespace & { readonly nowMs: number }) {
    this.#client = client;
    this.#namespace = namespace;
  }

  get content(): Content {
    const remains = { objects: this.#objects, finalizers: this.#finalizers, errors: this.errors };
    return { remains, waitFor: this.waitFor, gracefulUntilMs: this.#gracefulUntilMs };
  }

  /** Deletes all objects of a resource and counts the remaining ones. */
  async empty(resource: ClientResource, failure?: string): Promise<void> {
    const { name } = this.#namespace;
    try {
      await this.#empty({ ...resource, namespace: name }, resource.verbs);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.errors.push(failure === undefined ? why : `${failure}${name}, err: ${why}`);
    }
  }

  async #empty(collection: Collection, verbs: readonly string[]): Promise<void> {
    const isPods = collection.group === '' && collection.resource === 'pods';
    const graceMs = isPods ? longestGraceMs((await this.#client.list(collection)).items) : 0;
    const { name, nowMs, deletedMs } = this.#namespace;
    const options = { propagationPolicy: 'Background' } as const;
    if (!verbs.includes('deletecollection')) await deleteEach(this.#client, collection, options);
    else if ((await this.#deleteCollection(collection, options)) === 0) return;
    const left = await this.#client.list(collection);
    if (left.items.length === 0) return;
    const { group, version, resource } = collection;
    this.#objects.set(`${resource}.${group}`, left.items.length);
    this.waitFor.push({ collection, resourceVersion: left.resourceVersion });
    const finalizers = left.items.flatMap(({ metadata }) => metadata.finalizers ?? []);
    for (const finalizer of finalizers) this.#finalizers.set(finalizer, (this.#finalizers.get(finalizer) ?? 0) + 1);
    if (deletedMs + graceMs > nowMs) this.#gracefulUntilMs = deletedMs + graceMs;
    else if (finalizers.length === 0) {
      throw new Error(
        `unexpected items still remain in namespace: ${name} for gvr: ${group}/${version}, Resource=${resource}`,
      );
    }
  }

  /** Whatever cannot be read is told of at once, by a list, as the reference lists what it deletes. */
  async #deleteCollection(collection: Collection, options: ClientDeleteOptions): Promise<number> {
    try {
      return await this.#client.deleteCollection(collection, options);
    } catch (error) {
      await this.#client.list(collection);
      throw error;
    }
  }
}

/** The longest grace period of pods that have not terminated. */
function longestGraceMs(pods: readonly (KubernetesObject & Pod)[]): number {
  const seconds = pods
    .filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed')
    .map(({ spec }) => Number(spec?.terminationGracePeriodSeconds ?? 0));
  return Math.max(0, ...seconds) * 1000;
}

async function deleteEach(client: Client, collection: Collection, options: ClientDeleteOptions): Promise<void> {
  const { items } = await client.list(collection);
  const names = items.map(({ metadata }) => metadata.name ?? '');
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let name = names[next]; name !== undefined; name = names[next]) {
      next += 1;
      try {
        await client.delete({ ...collection, name }, options);
      } catch (error) {
        // Already deleted.
        if (!isReason(error, 'NotFound')) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
