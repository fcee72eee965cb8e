import type { Collection, UnreadObject } from '../../api/client/client.ts';
import { Mirror } from '../../api/client/mirror.ts';
import { soon, type Soon } from '../../api/scheduling/soon.ts';
import { isReason } from '../../api/errors/status.ts';
import type { Evaluator, Usage, UsageContext } from '../../admission/plugins/resource-quota/evaluator.ts';
import { sameUsage } from '../../admission/plugins/resource-quota/same-usage.ts';
import type { ControllerContext } from '../controller-context.ts';

export interface QuotaContentOptions extends Pick<ControllerContext, 'shared' | 'admitted' | 'onError'> {
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
  /** Objects whose usage has to be computed anew each time. */
  readonly #passing = new Map<string, UnreadObject>();
  /** Undefined when nothing waits. */
  #work: Promise<void> | undefined;
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
    for (const object of this.#passing.values()) this.#note(object);
    await this.#work;
    return this.#usages.values();
  }

  async #start(): Promise<void> {
    const { shared, collection, onError, gone, changed } = this.#options;
    const mirror = new Mirror({
      client: shared.unread,
      collection,
      set: (object) => this.#note(object),
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
  #note(object: UnreadObject): void {
    const usage = this.#usageOf(object);
    if (usage instanceof Promise) this.#after(async () => this.#keep(object, await usage));
    else this.#after(() => this.#keep(object, usage));
  }

  /** Read only if nobody knows it. */
  #usageOf(object: UnreadObject): Soon<Usage> {
    const { evaluator, admitted, context } = this.#options;
    const known = evaluator.constant ?? admitted.take(object.metadata.uid);
    return known ?? soon(object.read(), (read) => evaluator.usageOf(read, context()));
  }

  #keep(object: UnreadObject, usage: Usage): void {
    const { name } = object.metadata;
    const before = this.#usages.get(name);
    this.#usages.set(name, usage);
    if (usage.isPassing === true) this.#passing.set(name, object);
    else this.#passing.delete(name);
    if (before !== undefined && !sameUsage(before, usage)) this.#options.changed(before, usage);
  }

  /** One change after the other. */
  #after(change: () => Soon<void>): void {
    const done = this.#work === undefined ? this.#try(change) : this.#work.then(() => this.#try(change));
    if (!(done instanceof Promise)) return;
    const work = done.finally(() => {
      if (this.#work === work) this.#work = undefined;
    });
    this.#work = work;
  }

  #try(change: () => Soon<void>): Soon<void> {
    try {
      const done = change();
      return done instanceof Promise ? done.catch(this.#options.onError) : done;
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
