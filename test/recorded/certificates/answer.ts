import { parseCertificate } from '../../../src/codec/x509/certificate.ts';
import { parseCertificateRequest } from '../../../src/codec/x509/certificate-request.ts';
import { DerError } from '../../../src/codec/x509/der.ts';
import { keyPairError } from '../../../src/codec/x509/key-pair.ts';
import type { Question } from './questions.ts';

/** What is wrong; empty if nothing is. */
export function answer({ kind, bytes, key }: Question): string {
  if (kind === 'pair') return keyPairError(bytes.toString('latin1'), key) ?? '';
  try {
    if (kind === 'csr') parseCertificateRequest(bytes);
    else parseCertificate(bytes);
    return '';
  } catch (error) {
    if (error instanceof DerError) return error.message;
    throw error;
  }
}

/** Where Go tells an address in memory, or its words for a time in another place. */
export function isUnpredictable(text: string): boolean {
  return /tag:0x|^parsing time/.test(text);
}
