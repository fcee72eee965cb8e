import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import type { IncomingMessage } from 'node:http';
import { Agent, request as requestHttps } from 'node:https';
import type { Duplex } from 'node:stream';
import { adminTls, type TestServer } from '../../server-fixture.ts';

export type Protocol = 'HTTP/1.1' | 'HTTP/2';
export const protocols: readonly Protocol[] = ['HTTP/1.1', 'HTTP/2'];

/** What a client sees of a response; `connection`: it is the last one of its connection. */
export interface Seen {
  readonly code: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

export interface Sent {
  readonly method?: string;
  readonly body?: object;
  readonly userAgent?: string;
}

/** A connection, or a failed attempt to have one. */
export interface Connection extends Disposable {
  send(path: string, sent?: Sent): Promise<Seen | string>;
  /** A response that goes on; the promise resolves once its head has come. */
  open(path: string): Promise<OpenResponse>;
  /** Whether the server has said that it takes no more requests here. */
  readonly isOver: boolean;
  /** Resolves once it has said so. */
  readonly over: Promise<void>;
}

export interface OpenResponse {
  /** How it ended, or `open`. */
  state: 'open' | 'complete' | 'cut off';
  readonly ended: Promise<void>;
}

type Tls = Awaited<ReturnType<typeof adminTls>>;

/** The headers that say something about the connection, and the type of the body; connections are kept by default. */
const shownHeaders = ['connection', 'retry-after', 'content-type', 'x-content-type-options', 'cache-control'];

export async function connectionTo(
  { url, kubeconfigPath }: Pick<TestServer, 'url' | 'kubeconfigPath'>,
  protocol: Protocol,
): Promise<Connection | string> {
  const tls = await adminTls(kubeconfigPath);
  return protocol === 'HTTP/2' ? overHttp2(url, tls) : overHttp1(url, tls);
}

/** The error of what fails, in a form that does not depend on the port. */
function errorOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

async function overHttp2(url: string, tls: Tls): Promise<Connection | string> {
  const session = connectHttp2(url, tls);
  const over = Promise.withResolvers<void>();
  let isOver = false;
  const end = (): void => {
    isOver = true;
    over.resolve();
  };
  session.on('goaway', end);
  session.on('close', end);
  try {
    await once(session, 'connect');
  } catch (error) {
    return errorOf(error);
  }
  session.on('error', end);
  return {
    over: over.promise,
    get isOver() {
      return isOver;
    },
    send: (path, sent = {}) => sendHttp2(session, path, sent).catch(errorOf),
    async open(path) {
      const stream = session.request({ ':path': path });
      stream.on('error', () => undefined);
      // A stream may be closed without an answer and without an error.
      await Promise.race([once(stream, 'response'), once(stream, 'close')]);
      if (stream.destroyed) throw new Error(`${path}: closed without an answer`);
      return openResponse(stream, () => stream.rstCode === 0 && stream.readableEnded);
    },
    [Symbol.dispose]: () => session.destroy(),
  };
}

async function sendHttp2(session: ClientHttp2Session, path: string, sent: Sent): Promise<Seen> {
  const { method = 'GET', body, userAgent = 'test' } = sent;
  const stream = session.request({
    ':method': method,
    ':path': path,
    'user-agent': userAgent,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  });
  stream.end(body === undefined ? undefined : JSON.stringify(body));
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly [name: string]: string }>();
  stream.once('response', (headers) => resolve(headers as { readonly [name: string]: string }));
  stream.once('error', reject);
  // After GOAWAY nothing is answered, without an error.
  stream.once('close', () => reject(new Error('closed without an answer')));
  const headers = await promise;
  return { code: Number(headers[':status']), headers: shown(headers), body: await readStream(stream) };
}

/** On one connection for as long as it lasts. */
async function overHttp1(url: string, tls: Tls): Promise<Connection | string> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ...tls });
  const over = Promise.withResolvers<void>();
  let isOver = false;
  let known: Duplex | undefined;
  const follow = (socket: Duplex): void => {
    if (known !== undefined) return;
    known = socket;
    socket.once('close', () => {
      isOver = true;
      over.resolve();
    });
  };
  const respond = async (path: string, sent: Sent): Promise<IncomingMessage> => {
    const { method = 'GET', body, userAgent = 'test' } = sent;
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const call = requestHttps(`${url}${path}`, { agent, method, headers: { 'user-agent': userAgent, ...type } });
    call.on('socket', follow);
    call.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    return response;
  };
  return {
    over: over.promise,
    get isOver() {
      return isOver;
    },
    async send(path, sent = {}) {
      // Another connection would be another client.
      if (isOver) return 'closed';
      try {
        const response = await respond(path, sent);
        const headers = response.headers as { readonly [name: string]: string };
        return { code: response.statusCode ?? 0, headers: shown(headers), body: await readStream(response) };
      } catch (error) {
        return errorOf(error);
      }
    },
    async open(path) {
      const response = await respond(path, {});
      return openResponse(response, () => response.complete);
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}

function openResponse(stream: Duplex | IncomingMessage, isComplete: () => boolean): OpenResponse {
  const ended = Promise.withResolvers<void>();
  const response: OpenResponse = { state: 'open', ended: ended.promise };
  stream.on('error', () => undefined);
  stream.on('close', () => {
    response.state = isComplete() ? 'complete' : 'cut off';
    ended.resolve();
  });
  stream.resume();
  return response;
}

function shown(headers: { readonly [name: string]: string }): { readonly [name: string]: string } {
  const isShown = (name: string): boolean => headers[name] !== undefined && headers[name] !== 'keep-alive';
  const found = shownHeaders.filter(isShown).map((name) => [name, headers[name] ?? ''] as const);
  return Object.fromEntries(found);
}

async function readStream(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
