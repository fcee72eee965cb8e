import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import { randomBytes } from './random-bytes.ts';
import {
  type EncryptedPieces,
  EncryptionError,
  type OpenedValue,
  tooShort,
  type ValuePlace,
  type ValueTransformer,
  withOwn,
} from './transformer.ts';

const nonceBytes = 12;
const tagBytes = 16;

/** AES-GCM, with a key of 16, 24 or 32 bytes: `nonce ciphertext tag`, bound to the key of the value in the store. */
export class AesGcm implements ValueTransformer {
  readonly #key: KeyObject;
  readonly #algorithm: 'aes-128-gcm' | 'aes-192-gcm' | 'aes-256-gcm';

  constructor(key: Uint8Array) {
    this.#key = createSecretKey(key);
    this.#algorithm = `aes-${aesBits(key)}-gcm`;
  }

  read(stored: Uint8Array, { key }: ValuePlace): OpenedValue {
    if (stored.length < nonceBytes) throw tooShort();
    const end = stored.length - tagBytes;
    if (end < nonceBytes) throw notAuthentic();
    const decipher = createDecipheriv(this.#algorithm, this.#key, stored.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(Buffer.from(key));
    decipher.setAuthTag(stored.subarray(end));
    const value = decipher.update(stored.subarray(nonceBytes, end));
    try {
      decipher.final();
    } catch (error) {
      throw notAuthentic(error);
    }
    return { value, stale: false };
  }

  write(value: Uint8Array, { key }: ValuePlace): EncryptedPieces {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(this.#algorithm, this.#key, nonce);
    cipher.setAAD(Buffer.from(key));
    const encrypted = cipher.update(value);
    cipher.final();
    return withOwn([nonce, encrypted, cipher.getAuthTag()], encrypted);
  }
}

/** Key sizes of AES, in bits. Throws an EncryptionError for other keys. */
export function aesBits({ length }: Uint8Array): 128 | 192 | 256 {
  if (length === 16) return 128;
  if (length === 24) return 192;
  if (length === 32) return 256;
  throw new EncryptionError(`crypto/aes: invalid key size ${length}`);
}

function notAuthentic(cause?: unknown): EncryptionError {
  return new EncryptionError('cipher: message authentication failed', { cause });
}
