import type { MessagePort } from 'node:worker_threads';
import { ExchangeSender } from '../../http/handover/exchange-sender.ts';
import type { Lane, Lanes } from '../../http/request/lanes.ts';

/** A thread that hands requests over to lanes, as the process sees it. */
export interface LaneUser {
  /** From now on this lane takes requests. */
  add(lane: { readonly name: string; readonly port: MessagePort }): void;
  /** It takes no more of them; resolves once those that it has have ended. */
  leave(name: string): Promise<void>;
  /** No lane could be started: what waits for one is not handed over. */
  failed(): void;
}

export interface LaneSendersOptions {
  /** There is no lane, or all of them are busy. */
  readonly wanted: () => void;
  /** A lane that was idle gets something to do. */
  readonly used: (name: string) => void;
}

/**
 * The lanes that a thread knows. Requests wait for the first one; of several, the one with the fewest gets the next.
 */
export class LaneSenders implements Lanes, LaneUser {
  readonly #senders = new Map<string, ExchangeSender>();
  readonly #options: LaneSendersOptions;
  /** The next lane, for exchanges that wait for one. */
  #first: PromiseWithResolvers<ExchangeSender | undefined> | undefined;

  constructor(options: LaneSendersOptions) {
    this.#options = options;
  }

  free(): Lane | Promise<Lane | undefined> {
    const lane = this.#leastBusy();
    if (lane !== undefined && lane.sender.size === 0) {
      this.#options.used(lane.name);
      return lane.sender;
    }
    const first = lane?.sender ?? (this.#first ??= Promise.withResolvers()).promise;
    this.#options.wanted();
    return first;
  }

  add({ name, port }: Parameters<LaneUser['add']>[0]): void {
    const sender = new ExchangeSender(port, { lost: () => this.#forget(name, sender) });
    this.#senders.set(name, sender);
    this.#options.used(name);
    this.#tellFirst(sender);
  }

  async leave(name: string): Promise<void> {
    const sender = this.#senders.get(name);
    this.#senders.delete(name);
    await sender?.emptied();
    sender?.close();
  }

  failed(): void {
    this.#tellFirst(undefined);
  }

  #forget(name: string, sender: ExchangeSender): void {
    if (this.#senders.get(name) === sender) this.#senders.delete(name);
  }

  #tellFirst(sender: ExchangeSender | undefined): void {
    this.#first?.resolve(sender);
    this.#first = undefined;
  }

  #leastBusy(): { readonly name: string; readonly sender: ExchangeSender } | undefined {
    let least: { readonly name: string; readonly sender: ExchangeSender } | undefined;
    for (const [name, sender] of this.#senders) {
      if (least === undefined || sender.size < least.sender.size) least = { name, sender };
    }
    return least;
  }
}
