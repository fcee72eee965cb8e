import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { randomBytes } from './random-bytes.ts';
import { EncryptionError, type OpenedValue, tooShort, type ValueTransformer } from './transformer.ts';

const nonceBytes = 24;
const tagBytes = 16;

/** NaCl's secretbox (XSalsa20 and Poly1305), with a key of 32 bytes: `nonce tag ciphertext`. */
export class Secretbox implements ValueTransformer {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  read(stored: Uint8Array): OpenedValue {
    if (stored.length < nonceBytes + tagBytes) throw tooShort();
    try {
      const box = xsalsa20poly1305(this.#key, stored.subarray(0, nonceBytes));
      return { value: box.decrypt(stored.subarray(nonceBytes)), stale: false };
    } catch (cause) {
      // The reference says so, whatever is wrong.
      throw new EncryptionError('output array was not large enough for encryption', { cause });
    }
  }

  write(value: Uint8Array): readonly Uint8Array[] {
    const nonce = randomBytes(nonceBytes);
    return [nonce, xsalsa20poly1305(this.#key, nonce).encrypt(value)];
  }
}
