/** `host:port` as in URLs (RFC 3986, section 3.2.2): IPv6 addresses are in brackets. */
export function joinHostPort({ host, port }: { readonly host: string; readonly port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
