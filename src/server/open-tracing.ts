import { ConfigError } from '../api/errors/config-error.ts';
import type { PartContext } from '../api/contracts/part.ts';
import type { Tracing } from '../tracing/tracing-contract.ts';
import type { ServerConfig } from './config.ts';
import { serverId } from './server-id.ts';

/** Traces of requests; undefined: nothing is traced. Throws a ConfigError. */
export async function openTraces(
  { tracingFile }: Pick<ServerConfig, 'tracingFile'>,
  context: Pick<PartContext, 'readFile' | 'onStop'>,
  threadName: string | undefined,
): Promise<Tracing | undefined> {
  if (tracingFile === undefined) return undefined;
  const text = await context.readFile(tracingFile).catch((error: unknown) => {
    throw new ConfigError(`tracing-config-file ${tracingFile} does not exist`, { cause: error });
  });
  const { openTracing } = await import('../tracing/tracing.ts');
  const tracing = await openTracing(text, { serverId: serverId(), threadName });
  context.onStop(async () => tracing[Symbol.asyncDispose]());
  return tracing;
}
