import type { PartContext } from '../api/contracts/part.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { EncryptionMeasures } from '../encryption/encryption-measures.ts';
import type { ServerConfig } from './config.ts';
import { serverId } from './server-id.ts';
import { gatesByConfig } from './kinds/served-by-config.ts';

/** Undefined for a store that is not encrypted. Throws a ConfigError. */
export async function openEncryption(
  { api, storage: { encryption: config } }: ServerConfig,
  context: PartContext,
): Promise<Encryption | undefined> {
  const { clock, measure } = context;
  const measures = new EncryptionMeasures({ clock, measure, serverId: serverId() });
  const { configFile: path, automaticReload: reload } = config;
  if (path === undefined) return undefined;
  const { Encryption } = await import('../encryption/encryption.ts');
  const allowsKmsV1 = gatesByConfig(api).get('KMSv1') === true;
  return await Encryption.open({ path, reload, context, measures, allowsKmsV1 });
}
