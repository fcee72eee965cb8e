import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { UpkeepLine } from '../http/routes/upkeep-routes.ts';
import type { Progress, StoreUpkeep, Upkeep } from '../storage/upkeep.ts';
import { askServer } from './ask-server.ts';
import { UsageError } from './errors.ts';
import { hasStore, withStore } from './snapshot-source.ts';

/** Maintenance of a store, by whoever has it open. */
export interface UpkeepTask<Result> {
  readonly dataDir: string;
  /** In this process, if no server is running. */
  readonly here: (upkeep: StoreUpkeep) => Upkeep<Result>;
  /** The path with which the server is asked for it. */
  readonly path: string;
  readonly onProgress: (progress: Progress) => void;
}

/** Throws a UsageError if the server refuses or fails. */
export async function runUpkeep<Result>(task: UpkeepTask<Result>): Promise<Result> {
  const { dataDir, path, onProgress } = task;
  const exists = hasStore(dataDir);
  const own = exists ? await withStore(dataDir, (storage) => finish(task.here(storage.upkeep), onProgress)) : undefined;
  if (own !== undefined) return own.result;
  const because = exists ? `the store in ${dataDir} is in use` : `${dataDir} contains no store`;
  const { chunks } = await askServer({ dataDir, because, method: 'POST', path });
  for await (const text of createInterface({ input: Readable.from(chunks()), crlfDelay: Infinity })) {
    const line = JSON.parse(text) as UpkeepLine;
    if ('progress' in line) onProgress(line.progress);
    else if ('failure' in line) throw new UsageError(line.failure);
    else return line.result as Result; // what the same work returns here
  }
  throw new UsageError('the answer of the server was cut off');
}

/** The result of the work. */
export async function finish<Result>(work: Upkeep<Result>, onProgress: (progress: Progress) => void): Promise<Result> {
  for (;;) {
    const step = await work.next();
    if (step.done === true) return step.value;
    onProgress(step.value);
  }
}
