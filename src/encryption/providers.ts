import { parseDuration } from '../api/time/duration.ts';
import { AesCbc } from '../storage/encryption/aes-cbc.ts';
import { AesGcm } from '../storage/encryption/aes-gcm.ts';
import { identity } from '../storage/encryption/identity.ts';
import { PrefixedTransformers } from '../storage/encryption/prefixed.ts';
import type { ValueTransformer } from '../storage/encryption/transformer.ts';
import {
  type KeysConfiguration,
  type KmsConfiguration,
  type ProviderConfiguration,
} from './configuration/configuration-schema.ts';
import { secretBytes } from './configuration/configuration-validation.ts';
import type { Provider, ProviderContext } from './provider.ts';

/** Makes a provider from a valid configuration. Throws an EncryptionFileError. */
export async function makeProvider(
  { aesgcm, aescbc, secretbox, kms }: ProviderConfiguration,
  context: ProviderContext,
): Promise<Provider> {
  if (aesgcm !== undefined) return ofKeys('aesgcm', aesgcm, (key) => new AesGcm(key), context);
  if (aescbc !== undefined) return ofKeys('aescbc', aescbc, (key) => new AesCbc(key), context);
  if (secretbox !== undefined) {
    const { Secretbox } = await import('../storage/encryption/secretbox.ts');
    return ofKeys('secretbox', secretbox, (key) => new Secretbox(key), context);
  }
  return kms === undefined ? { prefix: '', transformer: identity } : await ofKms(kms, context);
}

const titles = { aesgcm: 'AES', aescbc: 'AES', secretbox: 'Secretbox' } as const;

function ofKeys(
  name: keyof typeof titles,
  { keys }: KeysConfiguration,
  cipherOf: (key: Uint8Array) => ValueTransformer,
  { metrics: use }: ProviderContext,
): Provider {
  const rows = (keys ?? []).map((key) => ({
    prefix: `${key.name}:`,
    transformer: cipherOf(secretBytes(key.secret ?? '')),
  }));
  const unmatched = `no matching key was found for the provided ${titles[name]} transformer`;
  return { prefix: `k8s:enc:${name}:v1:`, transformer: new PrefixedTransformers({ rows, unmatched, use }) };
}

/** gRPC is loaded with the first plugin. */
async function ofKms(
  { apiVersion, name = '', endpoint = '', timeout = '', cachesize = 0 }: KmsConfiguration,
  context: ProviderContext,
): Promise<Provider> {
  const { openKmsV1, openKmsV2 } = await import('./kms/open-kms.ts');
  const timeoutMs = Number(parseDuration(timeout) / 1_000_000n);
  const given = { name, endpoint, timeoutMs, ...context };
  return apiVersion === 'v1' ? openKmsV1({ ...given, cacheSize: cachesize }) : await openKmsV2(given);
}
