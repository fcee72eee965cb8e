import type { ServerConfig } from '../config.ts';
import type { ServerLog } from '../logging/server-log.ts';
import type { OtherThreads } from './other-threads.ts';

/** Undefined: the first thread is the only one. What is not asked for is not loaded: most servers have one thread. */
export async function openThreads(config: ServerConfig, log: ServerLog): Promise<OtherThreads | undefined> {
  const { apiThreads, lanes } = config.serving;
  if (apiThreads === 'auto') {
    const { GrowingThreads } = await import('./growing-threads.ts');
    return GrowingThreads.open(config, log);
  }
  if (apiThreads === 1 && lanes === 0) return undefined;
  const { FurtherThreads } = await import('./further-threads.ts');
  return new FurtherThreads(config, log);
}
