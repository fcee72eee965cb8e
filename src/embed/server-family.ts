import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A server and its clones. What they share ends with the last of them. */
export class ServerFamily {
  readonly #shared: AsyncDisposableStack;
  readonly #folder: string;
  #members = 0;
  #joined = 0;

  /** `folder` exists, and ends with `shared`. */
  constructor(folder: string, shared: AsyncDisposableStack) {
    this.#folder = folder;
    this.#shared = shared;
  }

  /** A folder for a further server; disposed of when that has ended. */
  async join(): Promise<{ readonly folder: string } & AsyncDisposable> {
    this.#members += 1;
    const left = new AsyncDisposableStack();
    left.defer(() => this.#leave());
    try {
      this.#joined += 1;
      const folder = join(this.#folder, `server-${this.#joined}`);
      await mkdir(folder, { mode: 0o700 });
      return { folder, [Symbol.asyncDispose]: () => left.disposeAsync() };
    } catch (error) {
      await left.disposeAsync();
      throw error;
    }
  }

  async #leave(): Promise<void> {
    this.#members -= 1;
    if (this.#members === 0) await this.#shared.disposeAsync();
  }
}
