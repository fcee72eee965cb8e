import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import type { Target } from './raw-client.ts';

/** A request over HTTP/1.1. */
export interface Request {
  readonly method?: string;
  readonly path: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string | Uint8Array;
  /** By default 1.1. */
  readonly version?: '1.0' | '1.1';
}

export interface Http1Response {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

interface Awaited {
  readonly isHead: boolean;
  readonly resolve: (answer: Http1Response) => void;
  readonly reject: (error: Error) => void;
}

interface Head {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly sizeBytes: number;
}

/** The usual patience with an answer. */
const patienceMs = 60_000;

/**
 * One HTTP/1.1 connection for any number of requests. The next one can be sent in the very moment in which the answer
 * is whole, which node's client does not do; several can be sent at once.
 */
export class KeptConnection implements Disposable {
  readonly socket: TLSSocket;
  readonly #awaited: Awaited[] = [];
  #parts: Buffer[] = [];
  #receivedBytes = 0;
  /** Nothing can be read before that many bytes are there. */
  #neededBytes = 0;

  private constructor(socket: TLSSocket) {
    this.socket = socket;
    socket.on('data', (part: Buffer) => this.#receive(part));
    socket.on('error', () => undefined);
    socket.on('close', () => this.#close());
  }

  static async open({ url, tls }: Target): Promise<KeptConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect({ ...tls, host: hostname, port: Number(port), ALPNProtocols: ['http/1.1'] });
    await once(socket, 'secureConnect');
    return new KeptConnection(socket);
  }

  get ended(): boolean {
    return this.socket.destroyed;
  }

  /** Rejects if there is no whole answer in time. */
  async ask(request: Request): Promise<Http1Response> {
    const [answer] = await this.askAll([request]);
    if (answer === undefined) throw new Error('one request has one answer');
    return answer;
  }

  /** Sends requests at once; the answers come in their order. */
  async askAll(requests: readonly Request[]): Promise<readonly Http1Response[]> {
    const answers = Promise.all(requests.map((request) => this.#await(request)));
    this.socket.write(Buffer.concat(requests.map(bytesOf)));
    const named = requests.map(({ method = 'GET', path }) => `${method} ${path}`).join(', ');
    const late = new Error(`no answer to ${named.slice(0, 200)}`);
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => (timer = setTimeout(reject, patienceMs, late)));
    return Promise.race([answers, tooLate]).finally(() => clearTimeout(timer));
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }

  #await({ method }: Request): Promise<Http1Response> {
    const { promise, resolve, reject } = Promise.withResolvers<Http1Response>();
    this.#awaited.push({ isHead: method === 'HEAD', resolve, reject });
    return promise;
  }

  #receive(part: Buffer): void {
    this.#parts.push(part);
    this.#receivedBytes += part.length;
    while (this.#receivedBytes > 0 && this.#receivedBytes >= this.#neededBytes && this.#takeAnswer());
  }

  /** False if there is none yet. */
  #takeAnswer(): boolean {
    const bytes = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
    if (bytes === undefined) return false;
    this.#parts = [bytes];
    const head = headIn(bytes);
    if (head === undefined) return false;
    if (head.status < 200 && head.status !== 101) return this.#drop(bytes, head.sizeBytes);
    const [awaited] = this.#awaited;
    if (awaited === undefined) throw new Error('an answer to no request');
    const found = bodyIn(bytes, head, awaited.isHead);
    if (!('body' in found)) {
      this.#neededBytes = found.neededBytes;
      return false;
    }
    this.#awaited.shift();
    this.#drop(bytes, found.endsAt);
    awaited.resolve({ status: head.status, headers: head.headers, body: found.body });
    return true;
  }

  #drop(bytes: Buffer, count: number): boolean {
    this.#parts = count === bytes.length ? [] : [bytes.subarray(count)];
    this.#receivedBytes = bytes.length - count;
    this.#neededBytes = 0;
    return true;
  }

  #close(): void {
    for (const { reject } of this.#awaited.splice(0)) reject(new Error('the connection was closed before an answer'));
  }
}

function bytesOf({ method = 'GET', path, headers = {}, body, version = '1.1' }: Request): Buffer {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ Host: 'x', ...length, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${path} HTTP/${version}\r\n${lines.join('')}\r\n`);
  return body === undefined ? head : Buffer.concat([head, Buffer.from(body)]);
}

function headIn(bytes: Buffer): Head | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(first.split(' ')[1]), headers: new Map(headers), sizeBytes: end + 4 };
}

type Found = { readonly body: Buffer; readonly endsAt: number } | { readonly neededBytes: number };

/** The body, or how many bytes at least there have to be. */
function bodyIn(bytes: Buffer, { status, headers, sizeBytes }: Head, isHead: boolean): Found {
  if (isHead || status === 204 || status === 304 || status === 101) {
    return { body: Buffer.alloc(0), endsAt: sizeBytes };
  }
  if (headers.get('transfer-encoding') === 'chunked') return chunksIn(bytes, sizeBytes);
  const endsAt = sizeBytes + Number(headers.get('content-length'));
  return bytes.length < endsAt ? { neededBytes: endsAt } : { body: bytes.subarray(sizeBytes, endsAt), endsAt };
}

function chunksIn(bytes: Buffer, from: number): Found {
  const chunks: Buffer[] = [];
  for (let at = from; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return { neededBytes: bytes.length + 1 };
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    const end = lineEnd + 2 + size + 2;
    if (bytes.length < end) return { neededBytes: end };
    if (size === 0) return { body: Buffer.concat(chunks), endsAt: end };
    chunks.push(bytes.subarray(lineEnd + 2, end - 2));
    at = end;
  }
}
