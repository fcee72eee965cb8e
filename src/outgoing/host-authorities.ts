import { getCACertificates, rootCertificates } from 'node:tls';

/** The system's CAs, as far as node finds them. */
export function hostAuthorities(): string[] {
  const known = getCACertificates('system');
  return known.length === 0 ? [...rootCertificates] : known;
}
