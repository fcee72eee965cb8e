import { goQuote } from '../api/go-quote.ts';

const untrusted = 'tls: failed to verify certificate: x509: certificate signed by unknown authority';

/** Go's messages of failures to connect and to get an answer, where clients see them. */
export function callWords(error: Error, { host, port }: { readonly host: string; readonly port: number }): string {
  const code = 'code' in error ? String(error.code) : '';
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  if (code.startsWith('HPE_')) return malformedWords(error);
  const refusal = refusals.get(code);
  if (refusal !== undefined) return `dial tcp ${address}: ${refusal}`;
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${host}: no such host`;
  if (code === 'EPROTO' && error.message.includes('wrong version number')) {
    return 'http: server gave HTTP response to HTTPS client';
  }
  return words.get(code) ?? (error.message === 'i/o timeout' ? `dial tcp ${address}: i/o timeout` : error.message);
}

/** Failures of a connect, by node's code. */
const refusals: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connect: connection refused'],
  ['EHOSTUNREACH', 'connect: no route to host'],
  ['ENETUNREACH', 'connect: network is unreachable'],
  ['ETIMEDOUT', 'connect: connection timed out'],
]);

const words: ReadonlyMap<string, string> = new Map([
  ['ECONNRESET', 'EOF'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', untrusted],
  ['SELF_SIGNED_CERT_IN_CHAIN', untrusted],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', untrusted],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', untrusted],
  ['UNABLE_TO_GET_ISSUER_CERT', untrusted],
  ['CERT_HAS_EXPIRED', 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid'],
]);

/** Go's messages of bodies that do not end as they should. */
export function bodyWords(error: Error): string {
  const code = 'code' in error ? String(error.code) : '';
  return bodyFailures.get(code) ?? error.message;
}

const bodyFailures: ReadonlyMap<string, string> = new Map([
  ['ECONNRESET', 'unexpected EOF'],
  ['EPIPE', 'unexpected EOF'],
  ['HPE_INVALID_CHUNK_SIZE', 'invalid byte in chunk length'],
  ['HPE_STRICT', 'malformed chunked encoding'],
  ['Z_BUF_ERROR', 'unexpected EOF'],
  ['Z_DATA_ERROR', 'gzip: invalid header'],
]);

export function isResetError(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** What is wrong with the head of a response that node's parser has refused. */
function malformedWords(error: Error): string {
  const raw = 'rawPacket' in error && error.rawPacket instanceof Uint8Array ? error.rawPacket : new Uint8Array();
  const [start = '', ...lines] = (Buffer.from(raw).toString('latin1').split('\r\n\r\n')[0] ?? '').split('\r\n');
  const why = malformedStart(start) ?? malformedHeaders(lines) ?? error.message;
  return `net/http: HTTP/1.x transport connection broken: ${why}`;
}

function malformedStart(line: string): string | undefined {
  const [, status] = /^[^ ]* (.*)$/.exec(line) ?? [];
  if (status === undefined) return `malformed HTTP response ${goQuote(line)}`;
  const [code = ''] = status.trimStart().split(' ');
  return /^\d{3}$/.test(code) ? undefined : `malformed HTTP status code ${goQuote(code)}`;
}

function malformedHeaders(lines: readonly string[]): string | undefined {
  const odd = lines.find((line) => !line.includes(':'));
  if (odd !== undefined) return `malformed MIME header: missing colon: ${goQuote(odd)}`;
  const lengths = lines.filter((line) => /^content-length:/i.test(line)).map((line) => line.slice(15).trim());
  if (new Set(lengths).size > 1) {
    const got = lengths.map(goQuote).join(' ');
    return `http: message cannot contain multiple Content-Length headers; got [${got}]`;
  }
  const wrong = lengths.find((length) => !/^\d+$/.test(length));
  return wrong === undefined ? undefined : `bad Content-Length ${goQuote(wrong)}`;
}
