import { createCipheriv, createDecipheriv } from 'node:crypto';
import { aesBits } from './aes-gcm.ts';
import { randomBytes } from './random-bytes.ts';
import { EncryptionError, type OpenedValue, tooShort, type ValueTransformer } from './transformer.ts';

const blockBytes = 16;

/** AES-CBC with PKCS#7 padding (RFC 5652, section 6.3): `iv ciphertext`. Nothing is authenticated. */
export class AesCbc implements ValueTransformer {
  readonly #key: Uint8Array;
  readonly #algorithm: 'aes-128-cbc' | 'aes-192-cbc' | 'aes-256-cbc';

  constructor(key: Uint8Array) {
    this.#key = key;
    this.#algorithm = `aes-${aesBits(key)}-cbc`;
  }

  read(stored: Uint8Array): OpenedValue {
    if (stored.length < blockBytes) throw tooShort();
    if (stored.length % blockBytes !== 0)
      throw new EncryptionError('the stored data is not a multiple of the block size');
    const decipher = createDecipheriv(this.#algorithm, this.#key, stored.subarray(0, blockBytes));
    // OpenSSL words a wrong padding differently.
    decipher.setAutoPadding(false);
    const padded = decipher.update(stored.subarray(blockBytes));
    decipher.final();
    return { value: withoutPadding(padded), stale: false };
  }

  write(value: Uint8Array): readonly Uint8Array[] {
    const iv = randomBytes(blockBytes);
    const cipher = createCipheriv(this.#algorithm, this.#key, iv);
    return [iv, cipher.update(value), cipher.final()];
  }
}

function withoutPadding(padded: Buffer): Uint8Array {
  const size = padded.at(-1) ?? 0;
  if (size === 0 || size > padded.length) {
    throw new EncryptionError('invalid PKCS7 data (empty or not padded)');
  }
  const end = padded.length - size;
  if (padded.subarray(end).some((byte) => byte !== size)) throw new EncryptionError('invalid padding on input');
  return padded.subarray(0, end);
}
