const bearerPrefix = 'base64url.bearer.authorization.k8s.io.';
/** Not a valid token. */
const noToken = '!';

/** The subprotocols that a WebSocket client offers, without the bearer token among them. */
export interface OfferedProtocols {
  readonly protocols: readonly string[];
  /** Undefined if none was offered. */
  readonly token: string | undefined;
}

/**
 * Parses a `Sec-WebSocket-Protocol` header. There may be only one token, and another protocol for the response to
 * select.
 */
export function readProtocols(header: string | undefined): OfferedProtocols {
  const offered = header === undefined ? [] : header.split(',').map((protocol) => protocol.trim());
  const protocols = offered.filter((protocol) => !protocol.startsWith(bearerPrefix));
  const tokens = offered.filter((protocol) => protocol.startsWith(bearerPrefix));
  const [token] = tokens;
  if (token === undefined || token === bearerPrefix) return { protocols, token: undefined };
  const isSound = tokens.length === 1 && protocols.length > 0;
  const text = isSound ? decode(token.slice(bearerPrefix.length)) : undefined;
  return { protocols, token: text ?? noToken };
}

function decode(token: string): string | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(token)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(token, 'base64url'));
  } catch {
    // Not UTF-8, so not a token.
    return undefined;
  }
}
