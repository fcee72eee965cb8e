import type { ServerConfig } from '../config.ts';
import type { ServerLog } from '../logging/server-log.ts';
import type { OtherThreads } from './other-threads.ts';

/** Undefined: the first thread is the only one. What is not asked for is not loaded: most servers have one thread. */
export async function openThreads(config: ServerConfig, log: ServerLog): Promise<OtherThreads | undefined> {
  const { apiThreads, lanes } = config.serving;
  if (apiThreads === 1 && lanes === 0) return undefined;
  if (apiThreads === 'auto' || apiThreads === 1) {
    const { GrowingThreads } = await import('./growing-threads.ts');
    return new GrowingThreads(config, log);
  }
  const { FurtherThreads } = await import('./further-threads.ts');
  return new FurtherThreads(config, log);
}
