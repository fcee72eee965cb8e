import { type FSWatcher, watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../api/time/clock.ts';
import { type Log, noLog } from '../api/contracts/log.ts';
import { Metric, ObservableMetric } from '../api/metrics/metric.ts';
import { compareBytewise } from '../api/json/json-text.ts';
import type { PartContext, TextFile } from '../api/contracts/part.ts';
import { QueueMetrics } from '../controllers/queue-metrics.ts';

/** A file is read once its directory has been quiet for this long: writers take several steps. */
const settleMs = 100;

export interface PartContextOptions {
  readonly clock: Clock;
  readonly log?: Log;
  /** Disposes of the parts. */
  readonly opened: AsyncDisposableStack;
  readonly onError: (error: unknown) => void;
}

export interface ServerPartContext extends PartContext {
  /** Metrics of the parts. */
  readonly partMetrics: readonly Metric[];
  /** Metrics of work queues. */
  readonly queues: QueueMetrics;
}

/** The context in which parts of the server are made. */
export function partContext({ clock, opened, onError, log = noLog }: PartContextOptions): ServerPartContext {
  const partMetrics: Metric[] = [];
  const metric: PartContext['metric'] = (definition, read) => {
    const made = read === undefined ? new Metric(definition) : new ObservableMetric(definition, read);
    partMetrics.push(made);
    return made;
  };
  return {
    clock,
    log,
    onError,
    partMetrics,
    metric,
    queues: new QueueMetrics(metric),
    onStop: (stop) => opened.defer(async () => stop()),
    async readFile(path, changed) {
      const text = await readFile(path, 'utf8');
      if (changed !== undefined) {
        opened.use(new FollowedFolder({ folder: dirname(path), onError, changed: rereading(path, text, changed) }));
      }
      return text;
    },
    async readFolder(folder, isWanted, changed) {
      const read = (): Promise<readonly TextFile[]> => filesOf(folder, isWanted);
      const files = await read();
      opened.use(new FollowedFolder({ folder, onError, changed: async () => changed(await read()) }));
      return files;
    },
  };
}

async function filesOf(folder: string, isWanted: (name: string) => boolean): Promise<readonly TextFile[]> {
  const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => !entry.isDirectory());
  const wanted = names.map(({ name }) => name).filter(isWanted);
  return await Promise.all(
    wanted.toSorted(compareBytewise).map(async (name) => {
      const path = join(folder, name);
      return { path, text: await readFile(path, 'utf8') };
    }),
  );
}

/** Reads a file again, and calls `changed` if its text differs. */
function rereading(path: string, first: string, changed: (text: string) => void | Promise<void>): () => Promise<void> {
  let known = first;
  return async () => {
    const text = await readFile(path, 'utf8');
    if (text === known) return;
    known = text;
    await changed(text);
  };
}

interface FollowedFolderOptions {
  readonly folder: string;
  readonly changed: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * Watches a directory rather than a file: files are replaced by renaming, and mounted ones are symlinks into
 * directories that are.
 */
class FollowedFolder implements Disposable {
  readonly #options: FollowedFolderOptions;
  readonly #watcher: FSWatcher;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FollowedFolderOptions) {
    this.#options = options;
    this.#watcher = watch(options.folder, { persistent: false }, () => this.#settle());
    this.#watcher.on('error', (error) => options.onError(error));
  }

  [Symbol.dispose](): void {
    this.#watcher.close();
    clearTimeout(this.#timer);
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#options.changed().catch((error: unknown) => this.#options.onError(error));
    }, settleMs).unref();
  }
}
