import type { EncryptionConfig, ServerConfig } from '../server/config.ts';
import { type BuiltFlag, flag, fileOf } from './flag.ts';
import { boolean, string } from './flag-types.ts';

/** Flags of encryption at rest. */
export const encryptionFlags: readonly BuiltFlag[] = [
  flag('encryption-provider-config', {
    type: string,
    help: 'file of an EncryptionConfiguration: how resources are encrypted in the store',
    set: (file, config) => encryption(config, { configFile: fileOf(file) }),
  }),
  flag('encryption-provider-config-automatic-reload', {
    type: boolean,
    help: 'read the file of --encryption-provider-config again when it changes',
    set: (automaticReload, config) => encryption(config, { automaticReload }),
  }),
];

function encryption({ storage }: ServerConfig, changes: Partial<EncryptionConfig>): Partial<ServerConfig> {
  return { storage: { ...storage, encryption: { ...storage.encryption, ...changes } } };
}

/** One flag needs the other. */
export function encryptionProblem({ storage: { encryption } }: ServerConfig): string | undefined {
  const { configFile, automaticReload } = encryption;
  return automaticReload && configFile === undefined
    ? '--encryption-provider-config-automatic-reload must be set with --encryption-provider-config'
    : undefined;
}
