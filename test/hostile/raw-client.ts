import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, type OutgoingHttpHeaders } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';

/** A server's address and the credentials for it. */
export interface Target {
  readonly url: string;
  /** Without a certificate the client is anonymous. */
  readonly tls: ConnectionOptions;
}

/** A TLS connection for arbitrary bytes. */
export class RawConnection implements Disposable {
  readonly socket: TLSSocket;
  readonly #chunks: Buffer[] = [];

  private constructor(socket: TLSSocket) {
    this.socket = socket;
    // A closed connection is a valid outcome too.
    socket.on('error', () => undefined);
  }

  static async open({ url, tls }: Target, protocol: 'h2' | 'http/1.1', { reads = true } = {}): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect({ ...tls, host: hostname, port: Number(port), ALPNProtocols: [protocol] });
    await once(socket, 'secureConnect');
    const connection = new RawConnection(socket);
    if (reads) socket.on('data', (chunk: Buffer) => connection.#chunks.push(chunk));
    return connection;
  }

  send(bytes: Uint8Array | string): void {
    this.socket.write(bytes);
  }

  get received(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  get ended(): boolean {
    return this.socket.readableEnded || this.socket.destroyed;
  }

  /** Resolves when `done`, when the server has closed the connection, or on timeout; returns whether `done`. */
  async until(done: () => boolean, timeoutMs = 5_000): Promise<boolean> {
    for (const end = Date.now() + timeoutMs; !done() && !this.ended && Date.now() < end;) await sleep(10);
    return done();
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}

/** The response status; 0 if the stream was refused. */
export function ask(session: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const stream = session.request(headers);
  stream.on('error', () => resolve(0));
  let status = 0;
  stream.on('response', (answer) => (status = answer[':status'] ?? 0));
  stream.on('close', () => resolve(status));
  stream.end(body);
  stream.resume();
  return promise;
}

/** The responses on one connection. */
export interface RawResponse {
  /** In order. */
  readonly statuses: readonly number[];
  /** Whether the server closed the connection. */
  readonly ended: boolean;
  readonly text: string;
}

/** Sends bytes over HTTP/1.1 and collects responses until nothing arrives for a while. */
export async function play(target: Target, bytes: Uint8Array | string, quietMs = 300): Promise<RawResponse> {
  using connection = await RawConnection.open(target, 'http/1.1');
  connection.send(bytes);
  for (let before = -1; before !== connection.received.length && !connection.ended;) {
    before = connection.received.length;
    // Also waits for a first response that takes longer.
    const patience = before === 0 ? 10 * quietMs : quietMs;
    await connection.until(() => connection.received.length !== before, patience);
  }
  const text = connection.received.toString('latin1');
  return { statuses: statusesOf(text), ended: connection.ended, text };
}

/** The status codes of all responses. No response body in the tests has such a line. */
export function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status));
}

/** HTTP/2 frames (RFC 9113 section 6). */
export const frameTypes = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goaway: 7, continuation: 9 } as const;

/** The client preface with SETTINGS. */
export function preface(settings: Uint8Array = new Uint8Array()): Buffer {
  return Buffer.concat([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    frame({ type: frameTypes.settings, payload: settings }),
  ]);
}

export interface Frame {
  readonly type: number;
  readonly flags?: number;
  readonly stream?: number;
  readonly payload?: Uint8Array;
}

export function frame({ type, flags = 0, stream = 0, payload = new Uint8Array() }: Frame): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** The complete frames received. */
export function framesIn(bytes: Buffer): Required<Frame>[] {
  const frames: Required<Frame>[] = [];
  for (let at = 0; at + 9 <= bytes.length;) {
    const end = at + 9 + bytes.readUIntBE(at, 3);
    if (end > bytes.length) break;
    const [type, flags, stream] = [bytes.readUInt8(at + 3), bytes.readUInt8(at + 4), bytes.readUInt32BE(at + 5)];
    frames.push({ type, flags, stream, payload: bytes.subarray(at + 9, end) });
    at = end;
  }
  return frames;
}

/** A literal header field without indexing, or with incremental indexing (RFC 7541 section 6.2). */
export function literal(name: string, value: string, { indexed = false } = {}): Buffer {
  return Buffer.concat([Buffer.from([indexed ? 0x40 : 0]), text(name), text(value)]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([integer(bytes.length), bytes]);
}

/** RFC 7541 section 5.1, with a prefix of seven bits. */
function integer(value: number): Buffer {
  if (value < 127) return Buffer.from([value]);
  const bytes = [127];
  let rest = value - 127;
  for (; rest >= 128; rest >>>= 7) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

export function requestHeaders(path: string, method = 'GET'): Buffer {
  return Buffer.concat([
    literal(':method', method),
    literal(':scheme', 'https'),
    literal(':authority', 'x'),
    literal(':path', path),
  ]);
}

export const endHeaders = 4;
export const endStream = 1;

/** A request without a body. */
export function get(stream: number, path: string): Buffer {
  return frame({ type: frameTypes.headers, flags: endHeaders | endStream, stream, payload: requestHeaders(path) });
}

/** Requests `/readyz` every 20 ms over its own connection. */
export class Prober implements AsyncDisposable {
  readonly #session;
  readonly #running: Promise<void>;
  #stopped = false;
  #answers = 0;
  #worstMs = 0;

  constructor({ url, tls }: Target) {
    this.#session = connectHttp2(url, tls);
    this.#session.on('error', () => undefined);
    this.#running = this.#run();
  }

  get answers(): number {
    return this.#answers;
  }

  /** The longest response time. */
  get worstMs(): number {
    return this.#worstMs;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    await this.#running;
    this.#session.destroy();
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const begun = performance.now();
      await this.#ask();
      this.#worstMs = Math.max(this.#worstMs, performance.now() - begun);
      await sleep(20);
    }
  }

  async #ask(): Promise<void> {
    const stream = this.#session.request({ ':path': '/readyz' });
    stream.resume();
    const [headers] = (await once(stream, 'response')) as [{ ':status'?: number }];
    if (headers[':status'] === 200) this.#answers += 1;
    await once(stream, 'close');
  }
}
