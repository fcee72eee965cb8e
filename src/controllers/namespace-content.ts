import type { Client, ClientResource, Collection } from '../api/client.ts';
import { isReason } from '../api/status.ts';
import type { Remains } from './namespace-conditions.ts';

/** What remains in a namespace. */
export interface Content extends Remains {
  /** Collections that were not empty, with the resource version at which to wait for deletions. */
  readonly waitFor: readonly { readonly collection: Collection; readonly resourceVersion: string }[];
}

const concurrency = 16;

/**
 * Deletes everything in a namespace: pods first, the rest once no pod remains, so that pods keep what they use to the
 * end.
 */
export async function deleteContent(client: Client, namespace: string): Promise<Content> {
  const resources = client.resources().filter(({ namespaced, verbs }) => namespaced && verbs.includes('delete'));
  const isPods = ({ group, resource }: ClientResource): boolean => group === '' && resource === 'pods';
  const content = new Tally();
  for (const stage of [resources.filter(isPods), resources.filter((resource) => !isPods(resource))]) {
    for (const resource of stage) await deleteCollection(client, { ...resource, namespace }, content);
    if (content.objects.size > 0) break;
  }
  return content;
}

class Tally implements Content {
  readonly objects = new Map<string, number>();
  readonly finalizers = new Map<string, number>();
  readonly errors: string[] = [];
  readonly waitFor: { collection: Collection; resourceVersion: string }[] = [];
}

async function deleteCollection(client: Client, collection: Collection, content: Tally): Promise<void> {
  try {
    const found = await client.list(collection);
    if (found.items.length === 0) return;
    await deleteEach(
      client,
      collection,
      found.items.map(({ metadata }) => metadata.name ?? ''),
    );
    const left = await client.list(collection);
    if (left.items.length === 0) return;
    content.objects.set(`${collection.resource}.${collection.group}`, left.items.length);
    content.waitFor.push({ collection, resourceVersion: left.resourceVersion });
    for (const finalizer of left.items.flatMap(({ metadata }) => metadata.finalizers ?? [])) {
      content.finalizers.set(finalizer, (content.finalizers.get(finalizer) ?? 0) + 1);
    }
  } catch (error) {
    content.errors.push(error instanceof Error ? error.message : String(error));
  }
}

async function deleteEach(client: Client, collection: Collection, names: readonly string[]): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let name = names[next]; name !== undefined; name = names[next]) {
      next += 1;
      try {
        await client.delete({ ...collection, name }, { propagationPolicy: 'Background' });
      } catch (error) {
        // Already deleted.
        if (!isReason(error, 'NotFound')) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
