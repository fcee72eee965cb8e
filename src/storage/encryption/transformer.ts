import type { Soon } from '../../api/scheduling/soon.ts';

/** Where a value is stored. */
export interface ValuePlace {
  /** Its key in the store, which authenticated ciphers bind it to. */
  readonly key: string;
  /** `secrets`, `deployments.apps`: what metrics call its kind. */
  readonly resource: string;
}

/** A decrypted value. */
export interface OpenedValue {
  readonly value: Uint8Array;
  /** A write would encrypt it differently: with another key, or not at all. */
  readonly stale: boolean;
}

/** An encrypted value, in pieces that belong one after the other. */
export interface EncryptedPieces extends ReadonlyArray<Uint8Array> {
  /** One of them, whose memory is nobody else's: the others may be put into it. */
  readonly own?: Uint8Array | undefined;
}

export function withOwn(pieces: readonly Uint8Array[], own: Uint8Array | undefined): EncryptedPieces {
  return Object.assign(pieces, { own });
}

/** Encrypts values for the store. Results are available synchronously unless another process is asked for keys. */
export interface ValueTransformer {
  /** Throws or rejects if the value cannot be decrypted; the message says why. */
  read(stored: Uint8Array, place: ValuePlace): Soon<OpenedValue>;
  write(value: Uint8Array, place: ValuePlace): Soon<EncryptedPieces>;
}

/** All encrypted values begin like this; nothing else does. */
const encryptedMark = Buffer.from('k8s:enc:', 'latin1');

export function isEncrypted(stored: Uint8Array): boolean {
  return stored[3] === 0x3a && beginsWith(stored, encryptedMark);
}

export function beginsWith(value: Uint8Array, start: Buffer): boolean {
  return value.length >= start.length && start.compare(value, 0, start.length) === 0;
}

/** A value that cannot be decrypted, or one that cannot be encrypted. */
export class EncryptionError extends Error {
  override readonly name: string = 'EncryptionError';
  readonly code: string = 'ENCRYPTION';
}

/** The service that knows the keys has failed: it may succeed later. */
export class KeyServiceError extends EncryptionError {
  override readonly name: string = 'KeyServiceError';
  override readonly code: string = 'KEY_SERVICE';
}

export function tooShort(): EncryptionError {
  return new EncryptionError('the stored data was shorter than the required size');
}
