import { createHmac } from 'node:crypto';
import { AesGcm } from './aes-gcm.ts';
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

const infoBytes = 32;
export const seedBytes = 32;

/**
 * AES-GCM with a key for each value, derived from a seed by HKDF's expansion (RFC 5869, section 2.3):
 * `info nonce ciphertext tag`, in which `info` is random. One seed serves any number of values.
 */
export class ExtendedNonceGcm implements ValueTransformer {
  readonly #seed: Uint8Array;

  constructor(seed: Uint8Array) {
    if (seed.length < seedBytes) {
      throw new EncryptionError(`invalid seed length ${seed.length} used for key generation`);
    }
    this.#seed = seed;
  }

  read(stored: Uint8Array, place: ValuePlace): OpenedValue {
    if (stored.length < infoBytes) throw tooShort();
    return this.#cipher(stored.subarray(0, infoBytes)).read(stored.subarray(infoBytes), place);
  }

  write(value: Uint8Array, place: ValuePlace): EncryptedPieces {
    const info = randomBytes(infoBytes);
    const pieces = this.#cipher(info).write(value, place);
    return withOwn([info, ...pieces], pieces.own);
  }

  /** One block of the expansion is as long as a key. */
  #cipher(info: Uint8Array): AesGcm {
    return new AesGcm(createHmac('sha256', this.#seed).update(info).update(firstBlock).digest());
  }
}

const firstBlock = Buffer.of(1);
