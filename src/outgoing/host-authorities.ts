/** The system's CAs, as far as node finds them. */
export function hostAuthorities(): string[] {
  // Not imported: node parses its own CAs when they are read, which every start would do.
  const { getCACertificates, rootCertificates } = process.getBuiltinModule('node:tls');
  const known = getCACertificates('system');
  return known.length === 0 ? [...rootCertificates] : known;
}
