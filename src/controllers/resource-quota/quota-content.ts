import type { Collection } from '../../api/client.ts';
import { Mirror } from '../../api/mirror.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { isReason } from '../../api/status.ts';
import type { Evaluator, Usage, UsageContext } from '../../admission/resource-quota/evaluator.ts';
import { sameUsage } from '../../admission/resource-quota/same-usage.ts';
import type { ControllerContext } from '../controller-context.ts';

export interface QuotaContentOptions extends Pick<ControllerContext, 'shared' | 'onError'> {
  readonly collection: Collection;
  readonly evaluator: Evaluator;
  readonly context: () => UsageContext;
  /** An object uses something else than before; `after` is undefined when it is gone. */
  readonly changed: (before: Usage, after: Usage | undefined) => void;
  /** The kind is served no longer. */
  readonly gone: () => void;
}

/** What the objects of one kind in one namespace use, kept up to date. */
export class QuotaContent implements Disposable {
  readonly #options: QuotaContentOptions;
  readonly #stop = new AbortController();
  readonly #usages = new Map<string, Usage>();
  /** Of which the usage has to be worked out anew each time. */
  readonly #passing = new Map<string, KubernetesObject>();
  #work = Promise.resolve();
  #ready: Promise<void> | undefined;

  constructor(options: QuotaContentOptions) {
    this.#options = options;
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }

  get evaluator(): Evaluator {
    return this.#options.evaluator;
  }

  /** Rejects when the objects cannot be read; the next caller tries again. */
  async usages(): Promise<Iterable<Usage>> {
    this.#ready ??= this.#start();
    try {
      await this.#ready;
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
    for (const [name, object] of this.#passing) this.#note(name, object);
    await this.#work;
    return this.#usages.values();
  }

  async #start(): Promise<void> {
    const { shared, collection, onError, gone, changed } = this.#options;
    const mirror = new Mirror({
      client: shared,
      collection,
      set: (object) => this.#note(object.metadata.name ?? '', object),
      remove: ({ name }) => {
        this.#after(() => {
          const before = this.#usages.get(name);
          this.#usages.delete(name);
          this.#passing.delete(name);
          if (before !== undefined) changed(before, undefined);
        });
      },
      onError: (error) => (isReason(error, 'NotFound') ? gone() : onError(error)),
      signal: this.#stop.signal,
    });
    await mirror.start();
    await this.#work;
  }

  /** What is charged when it is made needs no recount. */
  #note(name: string, object: KubernetesObject): void {
    const usage = this.#options.evaluator.usageOf(object, this.#options.context());
    if (usage instanceof Promise) this.#after(async () => this.#keep(name, object, await usage));
    else this.#after(() => this.#keep(name, object, usage));
  }

  #keep(name: string, object: KubernetesObject, usage: Usage): void {
    const before = this.#usages.get(name);
    this.#usages.set(name, usage);
    if (usage.isPassing === true) this.#passing.set(name, object);
    else this.#passing.delete(name);
    if (before !== undefined && !sameUsage(before, usage)) this.#options.changed(before, usage);
  }

  /** One change after the other. */
  #after(change: () => void | Promise<void>): void {
    this.#work = this.#work.then(change).catch(this.#options.onError);
  }
}
