import { goQuote } from '../../api/go/go-quote.ts';
import { headerFields, headerValues } from '../../api/text/header-list.ts';
import { type UpstreamCall, maxHeadBytes } from '../upstream-request.ts';

/** The head of a response over HTTP/1.1. */
export interface Http1Head {
  /** The minor version: 1, or 0 of older servers. */
  readonly minor: number;
  readonly status: number;
  readonly reason: string;
  /** Names and values. */
  readonly rawHeaders: readonly string[];
}

/** How a body ends: after its bytes, after its last chunk, or with the connection. */
export type BodyLength = number | 'chunked' | 'connection';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Collects a head, which may come in any pieces. */
export class HeadCollector {
  #chunks: Buffer[] = [];
  #sizeBytes = 0;
  /** The size of the line that has begun, without a carriage return. */
  #lineBytes = 0;
  #hasLines: boolean;

  /** `mayBeEmpty`: an empty line at once is the end, as of trailers; otherwise it is left out. */
  constructor({ mayBeEmpty = false }: { readonly mayBeEmpty?: boolean } = {}) {
    this.#hasLines = mayBeEmpty;
  }

  /** Nothing has come. */
  get isUnused(): boolean {
    return this.#sizeBytes === 0;
  }

  /** What follows the head; undefined until it is complete. Throws an Error for one that is too long. */
  add(chunk: Buffer): Buffer | undefined {
    let start = 0;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, start)) {
      const endsInReturn = at > start && chunk[at - 1] === carriageReturn;
      const isEmpty = this.#lineBytes === 0 && (at === start || (endsInReturn && at === start + 1));
      start = at + 1;
      this.#lineBytes = 0;
      if (isEmpty && this.#hasLines) {
        this.#keep(chunk.subarray(0, start));
        return chunk.subarray(start);
      }
      this.#hasLines = true;
    }
    this.#lineBytes += lengthOf(chunk.subarray(start));
    this.#keep(chunk);
    return undefined;
  }

  /** The head, complete; the next begins. Those before an answer count towards the same limit. */
  take(): string {
    const [first] = this.#chunks;
    const text = (this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks)).toString(
      'latin1',
    );
    this.#chunks = [];
    return text;
  }

  #keep(part: Buffer): void {
    this.#sizeBytes += part.length;
    if (this.#sizeBytes > maxHeadBytes) {
      throw broken(`net/http: server response headers exceeded ${maxHeadBytes} bytes; aborted`);
    }
    this.#chunks.push(part);
  }
}

/** A carriage return may turn out to be the end of an empty line. */
function lengthOf(part: Buffer): number {
  return part.length === 1 && part[0] === carriageReturn ? 0 : part.length;
}

/** Throws an Error in Go's words. */
export function readHead(text: string): Http1Head {
  const lines = text.split('\n');
  const [first = ''] = lines;
  const { minor, status, reason } = readStatus(withoutReturn(first));
  return { minor, status, reason, rawHeaders: readFields(lines, 1) };
}

function readStatus(line: string): Omit<Http1Head, 'rawHeaders'> {
  const space = line.indexOf(' ');
  if (space === -1) throw broken(`malformed HTTP response ${goQuote(line)}`);
  const rest = line.slice(space + 1).trimStart();
  const end = rest.indexOf(' ');
  const code = end === -1 ? rest : rest.slice(0, end);
  if (!/^\d{3}$/.test(code)) throw broken(`malformed HTTP status code ${goQuote(code)}`);
  const version = line.slice(0, space);
  if (!/^HTTP\/\d\.\d$/.test(version)) throw broken(`malformed HTTP version ${goQuote(version)}`);
  const reason = end === -1 ? '' : rest.slice(end + 1);
  return { minor: version === 'HTTP/1.0' ? 0 : 1, status: Number(code), reason };
}

const notName = /[^!#$%&'*+\-.^_`|~0-9A-Za-z]/;
// oxlint-disable-next-line no-control-regex -- they must not be passed on
const notValue = /[\0-\x08\n-\x1f\x7f]/;

/**
 * Header or trailer fields, to the end of the lines. Names with spaces are dropped, as Go drops them when it writes.
 */
export function readFields(lines: readonly string[], from: number): string[] {
  const fields: string[] = [];
  for (let index = from; index < lines.length; index += 1) {
    const line = withoutReturn(lines[index] ?? '');
    if (line === '') continue;
    if (line.startsWith(' ') || line.startsWith('\t')) {
      // A folded value (RFC 9112 section 5.2).
      if (index === from) throw broken(`malformed MIME header initial line: ${goQuote(line)}`);
      if (fields.length > 0) fields.push(`${fields.pop()} ${line.trim()}`.trim());
      continue;
    }
    const colon = line.indexOf(':');
    if (colon === -1) throw broken(`malformed MIME header: missing colon: ${goQuote(line)}`);
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()];
    const isOdd = name === '' || notName.test(name);
    if ((isOdd && (name === '' || notName.test(name.replaceAll(' ', '')))) || notValue.test(value)) {
      throw broken(`malformed MIME header line: ${line}`);
    }
    if (!isOdd) fields.push(name, value);
  }
  return fields;
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** The length of the body of a response. Throws an Error in Go's words. */
export function bodyLengthOf({ minor, status, rawHeaders }: Http1Head, method: string): BodyLength {
  const lengths = headerValues(rawHeaders, 'content-length');
  const codings = minor === 0 ? [] : headerValues(rawHeaders, 'transfer-encoding');
  if (codings.length > 1) throw broken(`too many transfer encodings: [${codings.map(goQuote).join(' ')}]`);
  const [coding, length] = [codings[0], lengths[0]];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw broken(`unsupported transfer encoding: ${goQuote(coding)}`);
  }
  if (coding === undefined && lengths.some((each) => each !== length)) {
    const got = lengths.map(goQuote).join(' ');
    throw broken(`http: message cannot contain multiple Content-Length headers; got [${got}]`);
  }
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return 0;
  if (coding !== undefined) return 'chunked';
  if (length === undefined) return 'connection';
  if (!/^\d{1,15}$/.test(length)) throw broken(`bad Content-Length ${goQuote(length)}`);
  return Number(length);
}

/** Whether another request may follow on the connection. */
export function keepsConnection({ minor, rawHeaders }: Http1Head): boolean {
  const options = headerValues(rawHeaders, 'connection').join(',').toLowerCase();
  if (options === '') return minor > 0;
  const has = (option: string): boolean => options.split(',').some((each) => each.trim() === option);
  return !has('close') && (minor > 0 || has('keep-alive'));
}

const brokenPrefix = 'net/http: HTTP/1.x transport connection broken: ';

function broken(why: string): Error {
  return new Error(`${brokenPrefix}${why}`);
}

/** What is wrong with a head, without what Go's client says before it. */
export function withoutBroken(message: string): string {
  return message.startsWith(brokenPrefix) ? message.slice(brokenPrefix.length) : message;
}

// oxlint-disable-next-line no-control-regex -- Go refuses to write them
const notSent = /[^\t\x20-\x7e\x80-\xff]/;
const notTarget = /[^\x21-\xff]/;

/** The head of a request. Throws an Error for what cannot be sent in it. */
export function requestHead({ method, target, authority, headers, body }: UpstreamCall): string {
  if (notName.test(method)) throw new Error(`net/http: invalid method ${goQuote(method)}`);
  if (notTarget.test(target) || notTarget.test(authority)) throw new Error('net/http: invalid request target');
  let head = `${method} ${target} HTTP/1.1\r\nHost: ${authority}\r\n`;
  for (const [name, value] of headerFields(headers)) {
    if (notName.test(name)) throw new Error(`net/http: invalid header field name ${goQuote(name)}`);
    if (notSent.test(value)) throw new Error(`net/http: invalid header field value for ${goQuote(name)}`);
    head += `${name}: ${value}\r\n`;
  }
  return body === 'streamed' ? `${head}Transfer-Encoding: chunked\r\n\r\n` : `${head}\r\n`;
}
