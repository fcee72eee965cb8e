import { Base64Error, canonicalBase64 } from '../../api/bytes/base64.ts';
import { formatDuration, parseDuration } from '../../api/time/duration.ts';
import { type FieldError, invalidField, keyPath, requiredField } from '../../api/errors/field-error.ts';
import { GoUrlError, parseGoUrl } from '../../api/go/go-url.ts';
import type {
  EncryptionConfiguration,
  KeyConfiguration,
  KeysConfiguration,
  KmsConfiguration,
  ProviderConfiguration,
} from './configuration-schema.ts';
import { resourceErrors } from './resource-validation.ts';
import { shownProvider } from './shown-provider.ts';

const keySizes = { aesgcm: [16, 24, 32], aescbc: [16, 24, 32], secretbox: [32] } as const;
type KeyProvider = keyof typeof keySizes;

/** Validates a configuration with defaults, with the reference's texts and order. `reload`: of one that is reloaded. */
export function configurationErrors(
  { resources: rules }: EncryptionConfiguration,
  { reload }: { readonly reload: boolean },
): readonly FieldError[] {
  if (!rules || rules.length === 0) return [requiredField('resources', 'at least one resources is required')];
  const names = new Set<string>();
  return rules.flatMap(({ resources, providers }, index) => {
    const path = keyPath('resources', index);
    const at = `${path}.providers`;
    const missing = providers?.length ? [] : [requiredField(at, `at least one ${at} is required`)];
    return [
      ...resourceErrors(resources ?? [], `${path}.resources`),
      ...missing,
      ...(providers ?? []).flatMap((provider, place) =>
        providerErrors(provider, keyPath(at, place), { names, reload }),
      ),
    ];
  });
}

interface KmsNames {
  /** The names of the KMS providers so far. */
  readonly names: Set<string>;
  readonly reload: boolean;
}

function providerErrors(provider: ProviderConfiguration, path: string, known: KmsNames): readonly FieldError[] {
  const errors = choiceErrors(provider, path);
  const { kms } = provider;
  if (kms !== undefined) {
    errors.push(...kmsErrors(kms, `${path}.kms`, known));
    known.names.add(kms.name ?? '');
    return errors;
  }
  const named = (['aesgcm', 'aescbc', 'secretbox'] as const).find((name) => provider[name] !== undefined);
  const keys = named === undefined ? undefined : provider[named];
  return named === undefined || keys === undefined ? errors : [...errors, ...keysErrors(named, keys, path)];
}

function choiceErrors(provider: ProviderConfiguration, path: string): FieldError[] {
  const found = Object.values(provider).filter((each) => each !== undefined).length;
  if (found === 1) return [];
  const why =
    found === 0
      ? 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity'
      : 'more than one provider specified in a single element, should split into different list elements';
  return [invalidField(path, shownProvider(provider), why)];
}

function keysErrors(provider: KeyProvider, { keys }: KeysConfiguration, path: string): readonly FieldError[] {
  const at = `${path}.${provider}.keys`;
  if (!keys || keys.length === 0) return [requiredField(at, 'at least one keys is required')];
  return keys.flatMap((key, index) => keyErrors(key, keyPath(at, index), keySizes[provider]));
}

function keyErrors(
  { name = '', secret = '' }: KeyConfiguration,
  path: string,
  sizes: readonly number[],
): readonly FieldError[] {
  const errors = name === '' ? [requiredField(`${path}.name`, 'name is a mandatory field for a key')] : [];
  if (secret === '') return [...errors, requiredField(`${path}.secret`, 'secret is a mandatory field for a key')];
  const why = secretProblem(secret, sizes);
  return why === undefined ? errors : [...errors, invalidField(`${path}.secret`, 'REDACTED', why)];
}

function secretProblem(secret: string, sizes: readonly number[]): string | undefined {
  try {
    const { length } = secretBytes(secret);
    if (sizes.includes(length)) return undefined;
    return `secret is not of the expected length, got ${length}, expected one of [${sizes.join(' ')}]`;
  } catch (error) {
    if (!(error instanceof Base64Error)) throw error;
    return 'secrets must be base64 encoded';
  }
}

/** Throws a Base64Error. */
export function secretBytes(secret: string): Buffer {
  return Buffer.from(canonicalBase64(secret), 'base64');
}

function kmsErrors(kms: KmsConfiguration, path: string, known: KmsNames): readonly FieldError[] {
  const { apiVersion = '', endpoint = '', cachesize, timeout = '' } = kms;
  const errors = kmsNameErrors(kms, `${path}.name`, known);
  const timeoutNanos = parseDuration(timeout);
  if (timeoutNanos <= 0n) {
    errors.push(invalidField(`${path}.timeout`, formatDuration(timeoutNanos), 'timeout should be a positive value'));
  }
  const problem = endpointProblem(endpoint);
  if (problem !== undefined) errors.push(invalidField(`${path}.endpoint`, endpoint, problem));
  if (apiVersion !== 'v1' && cachesize !== undefined) {
    errors.push(invalidField(`${path}.cachesize`, cachesize, 'cachesize is not supported in v2'));
  }
  if (apiVersion === 'v1' && cachesize === 0) {
    const why = 'cachesize should be a positive value, or negative to disable';
    errors.push(invalidField(`${path}.cachesize`, cachesize, why));
  }
  if (apiVersion !== 'v1' && apiVersion !== 'v2') {
    const why = 'unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported';
    errors.push(invalidField(`${path}.apiVersion`, apiVersion, why));
  }
  return errors;
}

/** The stored values of v2 are told apart by the names. */
function kmsNameErrors(
  { apiVersion, name = '' }: KmsConfiguration,
  path: string,
  { names, reload }: KmsNames,
): FieldError[] {
  const errors = name === '' ? [requiredField(path, 'name is a mandatory field for a provider')] : [];
  const isFormer = apiVersion === 'v1';
  if (!isFormer && name.includes(':')) {
    errors.push(invalidField(path, name, `invalid KMS provider name ${name}, must not contain ':'`));
  }
  if ((reload || !isFormer) && names.has(name)) {
    errors.push(invalidField(path, name, `duplicate KMS provider name ${name}, names must be unique`));
  }
  return errors;
}

function endpointProblem(endpoint: string): string | undefined {
  if (endpoint === '') return 'endpoint is a mandatory field for a kms';
  try {
    const { scheme } = parseGoUrl(endpoint);
    if (scheme === 'unix') return undefined;
    return `unsupported scheme ${JSON.stringify(scheme)} for KMS provider, only unix is supported`;
  } catch (error) {
    if (!(error instanceof GoUrlError)) throw error;
    return `invalid endpoint for kms provider, error: ${error.message}`;
  }
}
