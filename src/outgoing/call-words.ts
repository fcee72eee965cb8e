import { joinHostPort } from '../api/text/host-port.ts';
import { alertWords } from './alert-words.ts';

/** Go's messages of failures to connect and to get an answer, where clients see them. */
export function callWords(error: Error, { host, port }: { readonly host: string; readonly port: number }): string {
  const code = 'code' in error ? String(error.code) : '';
  const address = joinHostPort({ host, port });
  const refusal = refusals.get(code);
  if (refusal !== undefined) return `dial tcp ${address}: ${refusal}`;
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${host}: no such host`;
  if (code === 'EPROTO' && error.message.includes('wrong version number')) {
    return 'http: server gave HTTP response to HTTPS client';
  }
  if (code === 'ECONNRESET') return 'EOF';
  if (error.message === 'i/o timeout') return `dial tcp ${address}: i/o timeout`;
  return alertWords(error) ?? error.message;
}

/** Go's words for an error of connecting to an address, or to the path of a socket. */
export function dialWords(error: Error, place: string | { readonly host: string; readonly port: number }): string {
  if (typeof place !== 'string') return callWords(error, place);
  const code = 'code' in error ? String(error.code) : '';
  return `dial unix ${place}: ${refusals.get(code) ?? error.message}`;
}

/** Failures of a connect, by node's code. */
const refusals: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connect: connection refused'],
  ['EHOSTUNREACH', 'connect: no route to host'],
  ['ENETUNREACH', 'connect: network is unreachable'],
  ['ENOENT', 'connect: no such file or directory'],
  ['EACCES', 'connect: permission denied'],
  ['ETIMEDOUT', 'connect: connection timed out'],
]);

/** Go's messages of bodies that do not end as they should. */
export function bodyWords(error: Error): string {
  const code = 'code' in error ? String(error.code) : '';
  return bodyFailures.get(code) ?? error.message;
}

const bodyFailures: ReadonlyMap<string, string> = new Map([
  ['ECONNRESET', 'unexpected EOF'],
  ['EPIPE', 'unexpected EOF'],
  ['Z_BUF_ERROR', 'unexpected EOF'],
  ['Z_DATA_ERROR', 'gzip: invalid header'],
]);

export function isResetError(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}
