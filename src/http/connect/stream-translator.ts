import type { Metric } from '../../api/metrics/metric.ts';
import { encodeRaw } from '../../api/json/json-text.ts';
import { SpdyConnection, type SpdyStream } from '../../outgoing/spdy/spdy-connection.ts';
import type { ProxyTarget } from '../proxy/proxy-target.ts';
import type { RequestContext } from '../request/request-context.ts';
import { acceptMessages } from './accept-messages.ts';
import type { StreamOptions } from './connect-handler.ts';
import { openKubeletStreams } from './kubelet-streams.ts';
import { MessageChannel } from './message-channel.ts';
import { failure, outcomeOf, type StreamOutcome } from './stream-outcome.ts';

/** The first byte of a message names its channel. */
const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;
const protocol = 'v5.channel.k8s.io';
/** Timeout of idle connections. */
const idleMs = 4 * 60 * 60 * 1000;

interface TranslatedStreams {
  readonly target: ProxyTarget;
  readonly options: StreamOptions;
  readonly metric: Metric;
}

/**
 * Serves a client of `v5.channel.k8s.io` with a kubelet that only speaks SPDY: a message is a channel and its data, a
 * SPDY connection has a stream for each channel.
 *
 *     client    0 'ls\n'  ->  stdin         stdout  ->  1 'file\n'    client
 *     client    255 0     ->  end of stdin  error   ->  3 '{"status":"Success" ...}'
 */
export async function translateStreams(context: RequestContext, streams: TranslatedStreams): Promise<void> {
  const { exchange } = context;
  const webSocket = await acceptMessages(exchange, protocol);
  if (webSocket === undefined) {
    streams.metric.add({ code: '400' });
    return;
  }
  const session = new Session(streams.options);
  const channel = new MessageChannel(webSocket, (message) => session.received(message));
  session.greet(channel);
  const idle = setTimeout(() => webSocket.terminate(), idleMs);
  webSocket.on('message', () => idle.refresh());
  const left = channel.closed().then(() => undefined);
  const outcome = await Promise.race([
    left,
    outcomeFor(session, streams, { channel, left, onData: () => idle.refresh() }),
  ]);
  clearTimeout(idle);
  session.close();
  if (outcome === undefined) return;
  streams.metric.add({ code: String(outcome.code) });
  channel.send(messageOf(channels.error, Buffer.from(encodeRaw(outcome.status))), () => undefined);
  channel.close();
  await left;
}

interface Running {
  readonly channel: MessageChannel;
  /** Resolves when the client has disconnected. */
  readonly left: Promise<undefined>;
  onData(): void;
}

/** The final status sent to the client. */
async function outcomeFor(
  session: Session,
  { target, options }: TranslatedStreams,
  running: Running,
): Promise<StreamOutcome> {
  try {
    const { connection, streamProtocol } = await openKubeletStreams(target, running.left);
    return outcomeOf(streamProtocol, await session.run(connection, running, options));
  } catch (error) {
    // Any failure is reported to the client, the only recipient.
    return failure((error as Error).message);
  }
}

function messageOf(channel: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([channel]), data]);
}

/** The streams of one client. Its messages remain unread until the kubelet is connected. */
class Session {
  readonly #options: StreamOptions;
  readonly #opened = Promise.withResolvers<void>();
  #connection: SpdyConnection | undefined;
  #stdin: SpdyStream | undefined;
  #resize: SpdyStream | undefined;
  #isOpen = false;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  /** An empty message confirms the connection. */
  greet(channel: MessageChannel): void {
    const { stdout, stderr } = this.#options;
    const first = stdout === true ? channels.stdout : stderr === true ? channels.stderr : channels.error;
    channel.send(messageOf(first, Buffer.alloc(0)), () => undefined);
  }

  /** A message of the client. */
  received(message: Buffer): Promise<void> | undefined {
    if (!this.#isOpen) return this.#opened.promise.then(() => this.#take(message));
    return this.#take(message);
  }

  #take(message: Buffer): Promise<void> | undefined {
    const [number, closed] = message;
    if (number === channels.close) {
      if (closed === channels.stdin && message.length === 2) this.#stdin?.end();
      return undefined;
    }
    const stream = number === channels.stdin ? this.#stdin : number === channels.resize ? this.#resize : undefined;
    if (stream === undefined || message.length < 2) return undefined;
    const data = message.subarray(1);
    // Kubelets read one size after the other.
    const sent = number === channels.resize && data.at(-1) !== 10 ? Buffer.concat([data, Buffer.from('\n')]) : data;
    return stream.write(sent) ? undefined : stream.drained();
  }

  /** Resolves with the contents of the kubelet's error stream when all output has arrived. */
  async run(connection: SpdyConnection, running: Running, options: StreamOptions): Promise<string> {
    this.#connection = connection;
    const { stdin = false, stdout = false, stderr = false, tty = false } = options;
    const ended: Promise<void>[] = [];
    const errorChunks: Buffer[] = [];
    const open = (streamtype: string, take: ((part: Buffer) => boolean) | undefined): SpdyStream => {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (streamtype !== 'stdin' && streamtype !== 'resize') ended.push(promise);
      return connection.open({ streamtype }, { end: resolve, ...(take === undefined ? {} : { data: take }) });
    };
    const pass = (channel: number) => (part: Buffer) => {
      running.onData();
      return part.length === 0 || running.channel.send(messageOf(channel, part), () => connection.resume());
    };
    open('error', keptUpTo(maxErrorBytes, errorChunks));
    if (stdin) this.#stdin = open('stdin', undefined);
    if (stdout) open('stdout', pass(channels.stdout));
    if (stderr && !tty) open('stderr', pass(channels.stderr));
    if (tty) this.#resize = open('resize', undefined);
    this.#isOpen = true;
    this.#opened.resolve();
    await Promise.all(ended);
    if (connection.failure !== undefined) throw connection.failure;
    return Buffer.concat(errorChunks).toString();
  }

  close(): void {
    this.#isOpen = true;
    this.#opened.resolve();
    this.#connection?.close();
  }
}

/** A Status is short. */
const maxErrorBytes = 64 * 1024;

function keptUpTo(limitBytes: number, kept: Buffer[]): (part: Buffer) => boolean {
  let left = limitBytes;
  return (part) => {
    if (left > 0) kept.push(Buffer.from(part.subarray(0, left)));
    left -= part.length;
    return true;
  };
}
