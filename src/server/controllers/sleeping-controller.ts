import { firstWork, type WorkOptions } from '../../scopes/first-work.ts';

export interface SleepingControllerOptions extends Pick<WorkOptions, 'hasWork'> {
  readonly places: Parameters<typeof firstWork>[0];
  readonly start: () => AsyncDisposable | Promise<AsyncDisposable>;
  /** Called when the controller cannot start. */
  readonly onError: (error: unknown) => void;
}

/** A controller that starts when there is work for it; see `firstWork`. */
export class SleepingController implements AsyncDisposable {
  readonly #stop = new AbortController();
  readonly #started: Promise<AsyncDisposable | undefined>;

  constructor({ places, hasWork, start, onError }: SleepingControllerOptions) {
    const { signal } = this.#stop;
    this.#started = firstWork(places, { hasWork, signal })
      .then(() => (signal.aborted ? undefined : start()))
      .catch((error: unknown) => {
        onError(error);
        return undefined;
      });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await (await this.#started)?.[Symbol.asyncDispose]();
  }
}
