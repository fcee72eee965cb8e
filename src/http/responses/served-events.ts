import { setTimeout as sleep } from 'node:timers/promises';
import { StatusError } from '../../api/errors/status.ts';
import type { ResourceScope } from '../../operations/resource-scope.ts';
import { servedEvents } from '../forms/served-view.ts';
import type { SelectedEvents } from './served-selection.ts';
import type { Notification, WatchStream } from './watch-stream.ts';

/** Events that may wait for conversion before the client is cut off. */
const maxWaiting = 10_000;
/** Between attempts while the webhook fails; doubled each time. */
const firstPauseMs = 500;
const longestPauseMs = 10_000;

/**
 * Converts events to the served version and pushes them in order. Events that arrive during a conversion are
 * batched for the next. Bookmarks queue too: none may overtake an event. While the webhook fails, the watch goes on
 * without events, as in the reference.
 */
export class ServedEvents {
  readonly #scope: ResourceScope;
  readonly #stream: WatchStream;
  readonly #selected: SelectedEvents | undefined;
  #waiting: Notification[] = [];
  #running = false;

  constructor(scope: ResourceScope, stream: WatchStream, selected: SelectedEvents | undefined) {
    this.#scope = scope;
    this.#stream = stream;
    this.#selected = selected;
  }

  push(event: Notification): void {
    this.#waiting.push(event);
    if (this.#waiting.length > maxWaiting) {
      this.#waiting = [];
      this.#stream.fail(new StatusError({ code: 500, reason: 'InternalError', message: 'conversion is too slow' }));
    } else if (!this.#running) {
      this.#running = true;
      this.#run().catch((error: unknown) => this.#stream.fail(error));
    }
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      const served = await this.#converted(group);
      for (const event of this.#selected?.select(served) ?? served) this.#stream.push(event);
    }
    this.#running = false;
  }

  /** Nothing if the watch ends first. */
  async #converted(group: readonly Notification[]): Promise<readonly Notification[]> {
    for (let pauseMs = firstPauseMs; !this.#stream.ended; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await servedEvents(this.#scope, group);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        await sleep(pauseMs, undefined, { ref: false });
      }
    }
    return [];
  }
}
