import { ConfigError } from '../api/config-error.ts';
import type { Egress } from '../api/egress.ts';
import type { PartContext } from '../api/part.ts';
import type { EgressConfig, ServerConfig } from './config.ts';
import { partContext, type PartContextOptions, type ServerPartContext } from './part-context.ts';

/** The context in which the parts of a server are made. Throws a ConfigError. */
export async function serverContext(
  { egress }: Pick<ServerConfig, 'egress'>,
  options: PartContextOptions,
): Promise<ServerPartContext> {
  const context = partContext(options);
  return { ...context, egress: await openEgress(egress, context) };
}

/** Undefined without a file; most servers connect directly. */
async function openEgress(
  { configFile }: EgressConfig,
  context: Pick<PartContext, 'measure'>,
): Promise<Egress | undefined> {
  if (configFile === undefined) return undefined;
  const { readEgress } = await import('../outgoing/egress/read-egress.ts');
  const egress = await readEgress(configFile, context);
  if (typeof egress?.etcd === 'function') throw new ConfigError('egressSelections: etcd can only be reached directly');
  return egress;
}
