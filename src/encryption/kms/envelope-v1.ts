import { LruMap } from '../../api/collections/lru-map.ts';
import { AesCbc } from '../../storage/encryption/aes-cbc.ts';
import { AesGcm } from '../../storage/encryption/aes-gcm.ts';
import { reducedError } from '../../storage/encryption/reduced-error.ts';
import {
  EncryptionError,
  type OpenedValue,
  type ValuePlace,
  type ValueTransformer,
} from '../../storage/encryption/transformer.ts';
import type { KmsMetrics } from './kms-metrics.ts';
import type { KmsServiceV1 } from './kms-service-v1.ts';

const keyBytes = 32;
const lengthBytes = 2;

export interface EnvelopeV1Options {
  readonly service: Pick<KmsServiceV1, 'encrypt' | 'decrypt'>;
  /** How many keys are kept; none if negative. */
  readonly cacheSize: number;
  readonly metrics: KmsMetrics;
}

/**
 * Envelope encryption, first version: `length of the key (2 bytes), key encrypted by the plugin, encrypted value`. Each
 * value has a key of its own.
 */
export class EnvelopeV1 implements ValueTransformer {
  readonly #options: EnvelopeV1Options;
  /** By the encrypted key. */
  readonly #ciphers: LruMap<string, ValueTransformer>;

  constructor(options: EnvelopeV1Options) {
    this.#options = options;
    this.#ciphers = new LruMap(options.cacheSize);
  }

  read(stored: Uint8Array, place: ValuePlace): OpenedValue | Promise<OpenedValue> {
    this.#options.metrics.arrived('from_storage');
    const { encryptedKey, data } = parts(stored);
    const known = this.#ciphers.get(idOf(encryptedKey));
    if (known !== undefined) return known.read(data, place) as OpenedValue; // local ciphers do not wait
    return this.#decrypted(encryptedKey).then((cipher) => cipher.read(data, place));
  }

  async write(value: Uint8Array, place: ValuePlace): Promise<readonly Uint8Array[]> {
    const { service, metrics } = this.#options;
    metrics.arrived('to_storage');
    const key = metrics.generated(keyBytes);
    const encryptedKey = await service.encrypt(key);
    const length = Buffer.alloc(lengthBytes);
    if (encryptedKey.length > 0xffff) throw new EncryptionError('the encrypted key is too long');
    length.writeUInt16BE(encryptedKey.length);
    return [length, encryptedKey, ...(await this.#added(encryptedKey, key).write(value, place))];
  }

  async #decrypted(encryptedKey: Uint8Array): Promise<ValueTransformer> {
    const { service, cacheSize, metrics } = this.#options;
    if (cacheSize > 0) metrics.missed();
    return this.#added(encryptedKey, await service.decrypt(encryptedKey));
  }

  #added(encryptedKey: Uint8Array, key: Uint8Array): ValueTransformer {
    const cipher = gcmOrCbc(key);
    const { cacheSize, metrics } = this.#options;
    if (cacheSize <= 0) return cipher;
    this.#ciphers.set(idOf(encryptedKey), cipher);
    metrics.filled(this.#ciphers.size / cacheSize);
    return cipher;
  }
}

function idOf(encryptedKey: Uint8Array): string {
  return Buffer.from(encryptedKey).toString('latin1');
}

function parts(stored: Uint8Array): { readonly encryptedKey: Uint8Array; readonly data: Uint8Array } {
  const [high = 0, low = 0] = stored;
  const end = lengthBytes + high * 256 + low;
  if (stored.length < lengthBytes || stored.length < end) {
    throw new EncryptionError(
      'invalid data encountered by envelope transformer: failed to read uint16 length prefixed data',
    );
  }
  return { encryptedKey: stored.subarray(lengthBytes, end), data: stored.subarray(end) };
}

/** Releases before 1.25 wrote AES-CBC. */
function gcmOrCbc(key: Uint8Array): ValueTransformer {
  const gcm = new AesGcm(key);
  const cbc = new AesCbc(key);
  return {
    read(stored, place) {
      const errors: unknown[] = [];
      for (const [index, cipher] of [gcm, cbc].entries()) {
        try {
          return { ...cipher.read(stored, place), stale: index > 0 };
        } catch (error) {
          errors.push(error);
        }
      }
      throw reducedError(errors);
    },
    write: (value, place) => gcm.write(value, place),
  };
}
