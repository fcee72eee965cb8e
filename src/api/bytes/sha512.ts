import { hash } from 'node:crypto';

/** The SHA-512 of `bytes` in capital hexadecimal digits. */
export function sha512Of(bytes: Uint8Array): string {
  return hash('sha512', bytes, 'hex').toUpperCase();
}
