import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../api/clock.ts';
import { Measure, ReadMeasure } from '../api/measure.ts';
import type { PartContext } from '../api/part.ts';

/** A file is read once its directory has been quiet for this long: writers take several steps. */
const settleMs = 100;

export interface PartContextOptions {
  readonly clock: Clock;
  /** Disposes of the parts. */
  readonly opened: AsyncDisposableStack;
  readonly onError: (error: unknown) => void;
}

export interface ServerPartContext extends PartContext {
  /** Metrics of the parts. */
  readonly measures: readonly Measure[];
}

/** The context in which parts of the server are made. */
export function partContext({ clock, opened, onError }: PartContextOptions): ServerPartContext {
  const measures: Measure[] = [];
  return {
    clock,
    onError,
    measures,
    onStop: (stop) => opened.defer(async () => stop()),
    async readFile(path, changed) {
      const text = await readFile(path, 'utf8');
      if (changed !== undefined) opened.use(new FollowedFile({ path, text, changed, onError }));
      return text;
    },
    measure(definition, read) {
      const measure = read === undefined ? new Measure(definition) : new ReadMeasure(definition, read);
      measures.push(measure);
      return measure;
    },
  };
}

interface FollowedFileOptions {
  readonly path: string;
  readonly text: string;
  readonly changed: (text: string) => void | Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * Watches the directory rather than the file: files are replaced by renaming, and mounted ones are symlinks into
 * directories that are.
 */
class FollowedFile implements Disposable {
  readonly #options: FollowedFileOptions;
  readonly #watcher: FSWatcher;
  #text: string;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FollowedFileOptions) {
    this.#options = options;
    this.#text = options.text;
    this.#watcher = watch(dirname(options.path), { persistent: false }, () => this.#settle());
    this.#watcher.on('error', (error) => options.onError(error));
  }

  [Symbol.dispose](): void {
    this.#watcher.close();
    clearTimeout(this.#timer);
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#read().catch((error: unknown) => this.#options.onError(error));
    }, settleMs).unref();
  }

  async #read(): Promise<void> {
    const text = await readFile(this.#options.path, 'utf8');
    if (text === this.#text) return;
    this.#text = text;
    await this.#options.changed(text);
  }
}
