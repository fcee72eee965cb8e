import type { IncomingMessage } from 'node:http';
import { headerValues } from '../../api/text/header-list.ts';

/** A request refused for its framing: the connection closes after the response. */
export interface FramingRefusal {
  readonly status: number;
  readonly text: string;
}

/**
 * Rejects what node's parser accepts and the reference does not: input that a proxy in front may have parsed
 * differently. Undefined for valid requests.
 */
export function framingRefusal(request: IncomingMessage): FramingRefusal | undefined {
  const { httpVersionMajor, httpVersionMinor, headers } = request;
  if (httpVersionMajor === 0) return badRequest('malformed HTTP version');
  if (httpVersionMajor > 1) return { status: 505, text: 'HTTP Version Not Supported' };
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && httpVersionMinor === 0) return badRequest('transfer encoding in HTTP/1.0');
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return { status: 501, text: 'Not Implemented: unsupported transfer encoding' };
  }
  if (headerValues(request.rawHeaders, 'host').length > 1) return badRequest('too many Host headers');
  if (!validHost.test(headers.host ?? '')) return badRequest('malformed Host header');
  return undefined;
}

function badRequest(why: string): FramingRefusal {
  return { status: 400, text: `Bad Request: ${why}` };
}

/** RFC 3986 section 3.2.2, as lenient as the reference; no userinfo. */
const validHost = /^[A-Za-z0-9!$%&'()*+,\-.:;=[\]_~]*$/;

/** Whether a body follows, of any length. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/**
 * Path and query of a request target: for the absolute form `http://host/path`, what follows the authority (RFC 9112
 * section 3.2).
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const authority = target.indexOf('://');
  if (authority === -1) return target;
  const length = target.slice(authority + 3).search(/[/?]/);
  return length === -1 ? '' : target.slice(authority + 3 + length);
}

/** The path and the query of a request target in origin form. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const question = target.indexOf('?');
  if (question === -1) return { path: target, query: '' };
  return { path: target.slice(0, question), query: target.slice(question + 1) };
}
