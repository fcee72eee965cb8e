const bearerPrefix = 'base64url.bearer.authorization.k8s.io.';
/** A token that nobody has. */
const noToken = '!';

/** What a WebSocket's client offers to speak, less the credentials among it. */
export interface OfferedProtocols {
  readonly protocols: readonly string[];
  /** Undefined when the offer has no token. */
  readonly token: string | undefined;
}

/** Reads a `Sec-WebSocket-Protocol` header. A token must be the only one, and leave a protocol for the answer to name. */
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
    // No text is no token.
    return undefined;
  }
}
