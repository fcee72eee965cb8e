import type { PartContext } from '../api/contracts/part.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { EncryptionMetrics } from '../encryption/encryption-metrics.ts';
import type { ServerConfig } from './config.ts';
import { serverId } from './server-id.ts';
import { gatesByConfig } from './kinds/served-by-config.ts';

/** Undefined for a store that is not encrypted. Throws a ConfigError. */
export async function openEncryption(
  { api, storage: { encryption: config } }: ServerConfig,
  context: PartContext,
): Promise<Encryption | undefined> {
  const { clock, metric } = context;
  const metrics = new EncryptionMetrics({ clock, metric, serverId: serverId() });
  const { configFile: path, automaticReload: reload } = config;
  if (path === undefined) return undefined;
  const { Encryption } = await import('../encryption/encryption.ts');
  const allowsKmsV1 = gatesByConfig(api).get('KMSv1') === true;
  return await Encryption.open({ path, reload, context, metrics, allowsKmsV1 });
}
