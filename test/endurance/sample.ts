import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiClient } from '../api-client.ts';
import type { ServerProcess } from '../robustness/server-process.ts';
import type { ProcessFigures } from './server-probe.ts';

export interface Sample extends ProcessFigures {
  /** Since the beginning of the load. */
  readonly seconds: number;
  readonly openFiles: number;
  readonly databaseBytes: number;
  /** Objects of all kinds. */
  readonly objects: number;
  /** Lines of `/metrics`. */
  readonly series: number;
  /** Steps of the load so far. */
  readonly steps: number;
  readonly faults: number;
}

export async function takeSample(
  server: ServerProcess,
  client: ApiClient,
  { dataDir, isHeld }: { readonly dataDir: string; readonly isHeld: boolean },
): Promise<Omit<Sample, 'seconds' | 'steps' | 'faults'>> {
  const { child } = server;
  if (child === undefined) throw new Error('the server has ended');
  const answered = once(child as NodeJS.EventEmitter, 'message');
  child.send?.(isHeld ? 'held' : 'figures');
  const [figures] = (await answered) as [ProcessFigures];
  const openFiles = (await readdir(`/proc/${child.pid}/fd`)).length;
  const metrics = (await client.text('/metrics')).split('\n').filter((line) => !line.startsWith('#'));
  const objects = metrics.filter((line) => line.startsWith('apiserver_storage_objects{'));
  return {
    ...figures,
    openFiles,
    databaseBytes: await sizeOf(dataDir),
    objects: objects.reduce((sum, line) => sum + Math.max(0, Number(line.split(' ').at(-1))), 0),
    series: metrics.length,
  };
}

async function sizeOf(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = files.filter((file) => file.isFile()).map((file) => stat(join(file.parentPath, file.name)));
  const settled = await Promise.allSettled(sizes);
  // Logs come and go.
  return settled.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value.size : 0), 0);
}
