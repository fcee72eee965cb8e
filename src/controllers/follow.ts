import type { Collection, ReadingClient } from '../api/client.ts';
import type { KubernetesObject } from '../api/object.ts';
import { pause } from '../api/pause.ts';

export interface FollowOptions {
  readonly client: ReadingClient;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Called with every existing object, and on every change. */
  readonly notice: (object: KubernetesObject) => void;
  readonly onError: (error: unknown) => void;
}

const firstDelayMs = 100;
const longestDelayMs = 8000;

/** Lists, watches, and starts over when the watch ends. */
export async function follow(
  collection: Collection,
  { client, signal, notice, onError }: FollowOptions,
): Promise<void> {
  for (let delayMs = firstDelayMs; !signal.aborted; delayMs = Math.min(delayMs * 2, longestDelayMs)) {
    try {
      const { items, resourceVersion } = await client.list(collection);
      for (const object of items) notice(object);
      for await (const { object } of client.watch(collection, { resourceVersion, signal })) {
        delayMs = firstDelayMs;
        notice(object);
      }
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
    await pause(delayMs, signal);
  }
}
