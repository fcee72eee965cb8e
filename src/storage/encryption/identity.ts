import { EncryptionError, isEncrypted, type OpenedValue, type ValueTransformer } from './transformer.ts';

/** Leaves values as they are, and refuses to read encrypted ones. */
export const identity: ValueTransformer = {
  read(stored): OpenedValue {
    if (isEncrypted(stored)) throw readsEncrypted();
    return { value: stored, stale: false };
  },
  write: (value) => [value],
};

export function readsEncrypted(): EncryptionError {
  return new EncryptionError('identity transformer tried to read encrypted data');
}
