import { StatusError } from '../../api/status.ts';
import type { ResourceScope } from '../../operations/resource-scope.ts';
import { servedEvents } from '../forms/served-view.ts';
import type { SelectedEvents } from './served-selection.ts';
import type { Notification, WatchStream } from './watch-stream.ts';

/** Events that may wait for conversion before the client is cut off. */
const maxWaiting = 10_000;

/**
 * Converts events to the served version and pushes them in order. Events that arrive during a conversion are
 * batched for the next. Bookmarks queue too: none may overtake an event.
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
      const served = await servedEvents(this.#scope, group);
      for (const event of this.#selected?.select(served) ?? served) this.#stream.push(event);
    }
    this.#running = false;
  }
}
