import type { Collection } from '../api/client/client.ts';
import type { ControllerContext } from './controller-context.ts';
import { FollowedObjects, type FollowedOptions } from './followed-objects.ts';
import { WorkQueue, type WorkQueueOptions } from './work-queue.ts';

type QueueOption = 'workers' | 'attempts' | 'firstDelayMs' | 'longestDelayMs';

export interface LoopOptions extends Partial<Pick<WorkQueueOptions, QueueOption>> {
  /** The queue's name in metrics, which is that of kube-controller-manager. */
  readonly queue: string;
}

/** Follows objects and works on the keys they enqueue, starting when all objects are known. */
export class ControlLoop implements AsyncDisposable {
  readonly queue: WorkQueue;
  readonly #context: ControllerContext;
  readonly #stop = new AbortController();
  readonly #following: Promise<void>[] = [];

  constructor(context: ControllerContext, work: (key: string) => Promise<void>, { queue, ...options }: LoopOptions) {
    const { onError, queues, clock } = context;
    this.#context = context;
    this.queue = new WorkQueue({ workers: 5, ...options, metric: queues.of(queue), work, onError, clock });
    void this.#begin();
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  follow<T>(collection: Collection, options: FollowedOptions<T>): FollowedObjects<T> {
    const { shared, onError } = this.#context;
    const client = options.mentions === undefined ? shared : shared.mentioning(options.mentions);
    const objects = new FollowedObjects(collection, { client, onError, signal: this.#stop.signal }, options);
    this.#following.push(objects.ready);
    return objects;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#following);
    await this.queue[Symbol.asyncDispose]();
  }

  async #begin(): Promise<void> {
    // Events arrive right after the loop has been created.
    await Promise.resolve();
    await Promise.all(this.#following);
    this.queue.start();
  }
}
