import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { Duplex } from 'node:stream';
import { type ChannelOptions, Client, type ClientDuplexStream, credentials } from '@grpc/grpc-js';
import { systemClock } from '../../api/time/clock.ts';
import { joinHostPort } from '../../api/text/host-port.ts';
import { ProtobufError } from '../../api/bytes/wire-reader.ts';
import type { Connection } from '../../api/contracts/egress.ts';
import type { CallAddress } from '../call-address.ts';
import { dialWords } from '../call-words.ts';
import { closeDial, closeRequest, dataPacket, dialRequest, type Packet, readPacket } from './konnectivity-packets.ts';

/** The timeouts of konnectivity's client. */
const connectTimeoutMs = 30_000;
const dialTimeoutMs = 30_000;
const closeTimeoutMs = 10_000;

const options: ChannelOptions = {
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
  // Each connection has a channel of its own.
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_http_proxy': 0,
};

/** A connection to konnectivity, for one connection through it. */
export interface Tunnel {
  readonly client: Client;
  readonly call: ClientDuplexStream<Buffer, Buffer>;
}

/** Connects to a socket. Rejects with an Error in Go's words. */
export async function openTunnel(path: string): Promise<Tunnel> {
  const client = new Client(`unix:${path}`, credentials.createInsecure(), options);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  client.waitForReady(systemClock.now() + connectTimeoutMs, (error) => {
    if (error === undefined) resolve();
    else reject(error);
  });
  try {
    await promise;
  } catch (error) {
    client.close();
    const why = `transport: error while dialing: ${await whyNotConnected(path)}`;
    throw new Error(`context deadline exceeded: connection error: desc = ${JSON.stringify(why)}`, { cause: error });
  }
  return { client, call: client.makeBidiStreamRequest('/ProxyService/Proxy', asIs, asIs) };
}

function asIs(bytes: Buffer): Buffer {
  return bytes;
}

/** gRPC does not report it. */
async function whyNotConnected(path: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect({ path }, () => resolve('the server did not answer'));
  socket.once('error', (error) => resolve(dialWords(error, path)));
  const why = await promise;
  socket.destroy();
  return why;
}

/** Opens the connection of a tunnel, and ends the tunnel with it. Rejects with an Error in Go's words. */
export async function dialThrough(tunnel: Tunnel, address: CallAddress): Promise<Connection> {
  const connection = new TunnelConnection(tunnel, joinHostPort(address));
  const timer = setTimeout(() => connection.fail('dial timeout, backstop'), dialTimeoutMs);
  try {
    await connection.opened;
    return connection;
  } finally {
    clearTimeout(timer);
  }
}

/** Size of a DATA packet. */
const partBytes = 32 * 1024;

/**
 * A connection through konnectivity.
 *
 * | state   | this side sends          | the proxy sends                                                     |
 * |---------|--------------------------|---------------------------------------------------------------------|
 * | dialing | DIAL_REQ, or DIAL_CLS    | DIAL_RSP: open, or failed with an error; DIAL_CLS: failed           |
 * | open    | DATA                     | DATA                                                                |
 * | closed  | CLOSE_REQ, once          | CLOSE_RSP, also of itself: nothing follows, and the tunnel is ended |
 */
class TunnelConnection extends Duplex implements Connection {
  readonly #tunnel: Tunnel;
  readonly #random = randomBytes(8).readBigUInt64BE() >> 1n;
  readonly #opened = Promise.withResolvers<void>();
  #state: 'dialing' | 'open' | 'closed' = 'dialing';
  #connectId = 0n;
  #isEnded = false;

  constructor(tunnel: Tunnel, address: string) {
    super({ allowHalfOpen: false });
    this.#tunnel = tunnel;
    const { call } = tunnel;
    call.on('data', (bytes: Buffer) => this.#received(bytes));
    for (const event of ['end', 'error', 'close'] as const) call.on(event, () => this.#ended());
    // Users of the connection have listeners of their own, and `dialThrough` waits for it.
    this.on('error', () => undefined);
    this.#opened.promise.catch(() => undefined);
    call.write(dialRequest(address, this.#random));
  }

  /** Rejects with an Error in Go's words. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  fail(why: string): void {
    this.#opened.reject(new Error(why));
    this.destroy();
  }

  // Of sockets; messages are sent at once, and servers run anyway.
  setNoDelay(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {
    this.#tunnel.call.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    if (this.#isEnded) return done(new Error('EOF'));
    const { call } = this.#tunnel;
    // Parts are written in order: when the last one has been written, all have.
    const lastStart = Math.max(0, chunk.length - partBytes);
    for (let start = 0; start < lastStart; start += partBytes) {
      call.write(dataPacket(this.#connectId, chunk.subarray(start, Math.min(start + partBytes, lastStart))));
    }
    call.write(dataPacket(this.#connectId, chunk.subarray(lastStart)), () => done());
  }

  override _final(done: () => void): void {
    this.#close();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#close();
    done(error);
  }

  #received(bytes: Buffer): void {
    const packet = this.#read(bytes);
    if (packet === undefined) return;
    const { type, random, connectId } = packet;
    if (type === 'dialResponse' && random === this.#random) this.#dialed(packet);
    else if (type === 'closeDial' && random === this.#random && this.#state === 'dialing') this.fail('dial closed');
    else if (connectId !== this.#connectId || this.#connectId === 0n) return;
    else if (type === 'data') this.#pass(packet.data);
    else if (type === 'closeResponse') this.#ended();
  }

  /** Malformed packets end the tunnel. */
  #read(bytes: Buffer): Packet | undefined {
    try {
      return readPacket(bytes);
    } catch (error) {
      if (!(error instanceof ProtobufError)) throw error;
      this.#ended();
      return undefined;
    }
  }

  #dialed({ error, connectId }: Packet): void {
    if (this.#state !== 'dialing') return;
    if (error !== '') return this.fail(error);
    this.#state = 'open';
    this.#connectId = connectId;
    this.#opened.resolve();
  }

  #pass(data: Uint8Array): void {
    if (data.length > 0 && !this.destroyed && !this.push(data)) this.#tunnel.call.pause();
  }

  /** The proxy sends nothing more. */
  #ended(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    if (this.#state === 'dialing') this.fail('tunnel closed');
    else this.push(null);
    this.#end();
  }

  /** Notifies the proxy, and ends the tunnel when it has responded. */
  #close(): void {
    if (this.#state === 'closed') return;
    const { call } = this.#tunnel;
    const packet = this.#state === 'open' ? closeRequest(this.#connectId) : closeDial(this.#random);
    const isAnswered = this.#state === 'open';
    this.#state = 'closed';
    if (this.#isEnded) return;
    call.write(packet, () => (isAnswered ? undefined : this.#end()));
    call.resume();
    const timer = setTimeout(() => this.#end(), closeTimeoutMs).unref();
    call.once('close', () => clearTimeout(timer));
  }

  #end(): void {
    this.#tunnel.call.cancel();
    this.#tunnel.client.close();
  }
}
