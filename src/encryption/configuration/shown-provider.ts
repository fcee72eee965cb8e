import type { JsonValue } from '../../api/json/json.ts';
import type { KeysConfiguration, KmsConfiguration, ProviderConfiguration } from './configuration-schema.ts';

/** A provider as the reference's errors show it, but without its secrets. */
export function shownProvider({ aesgcm, aescbc, secretbox, identity, kms }: ProviderConfiguration): JsonValue {
  return {
    AESGCM: shownKeys(aesgcm),
    AESCBC: shownKeys(aescbc),
    Secretbox: shownKeys(secretbox),
    Identity: identity === undefined ? null : {},
    KMS: shownKms(kms),
  };
}

function shownKeys(configuration: KeysConfiguration | undefined): JsonValue {
  if (configuration === undefined) return null;
  const { keys } = configuration;
  return { Keys: keys ? keys.map(({ name = '' }) => ({ Name: name, Secret: 'REDACTED' })) : null };
}

function shownKms(kms: KmsConfiguration | undefined): JsonValue {
  if (kms === undefined) return null;
  const { apiVersion = '', name = '', cachesize = null, endpoint = '', timeout = null } = kms;
  return { APIVersion: apiVersion, Name: name, CacheSize: cachesize, Endpoint: endpoint, Timeout: timeout };
}
