import { ConfigError } from '../api/errors/config-error.ts';
import type { Egress } from '../api/contracts/egress.ts';
import type { PartContext } from '../api/contracts/part.ts';
import type { Tracing } from '../tracing/tracing-contract.ts';
import type { EgressConfig, ServerConfig } from './config.ts';
import { openTraces } from './open-tracing.ts';
import { partContext, type PartContextOptions, type ServerPartContext } from './part-context.ts';

export interface TracedPartContext extends ServerPartContext {
  /** Undefined: nothing is traced. */
  readonly tracing: Tracing | undefined;
}

export interface ServerContextOptions extends PartContextOptions {
  /** Undefined: the thread is the only one. */
  readonly threadName: string | undefined;
}

/** The context in which the parts of a server are made. Throws a ConfigError. */
export async function serverContext(
  config: Pick<ServerConfig, 'egress' | 'tracingFile'>,
  { threadName, ...options }: ServerContextOptions,
): Promise<TracedPartContext> {
  const context = partContext(options);
  const [egress, tracing] = await Promise.all([
    openEgress(config.egress, context),
    openTraces(config, context, threadName),
  ]);
  return { ...context, egress, tracing };
}

/** Undefined without a file; most servers connect directly. */
async function openEgress(
  { configFile }: EgressConfig,
  context: Pick<PartContext, 'metric'>,
): Promise<Egress | undefined> {
  if (configFile === undefined) return undefined;
  const { readEgress } = await import('../outgoing/egress/read-egress.ts');
  const egress = await readEgress(configFile, context);
  if (typeof egress?.etcd === 'function') throw new ConfigError('egressSelections: etcd can only be reached directly');
  return egress;
}
