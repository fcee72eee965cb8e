import { type Certificate, parseCertificate } from './certificate.ts';
import { DerError } from './der.ts';
import { pemBlocks } from './pem.ts';

/** The certificates of a PEM text; other blocks, and those with headers, do not count. Throws DerError. */
export function pemCertificates(pem: string): readonly Certificate[] {
  const blocks = pemBlocks(pem).filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders);
  if (blocks.length === 0) throw new DerError('data does not contain any valid RSA or ECDSA certificates');
  return blocks.map(({ bytes }) => parseCertificate(bytes));
}
