import { once } from 'node:events';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { Agent, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/** What a client receives, without what belongs to one request or to the protocol. */
export interface Received {
  readonly status: number;
  readonly headers: { readonly [name: string]: unknown };
  readonly body: string;
  /** Whether the response breaks off. */
  readonly isCutOff: boolean;
}

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** Called with each part of the response. */
  readonly onData?: () => void;
}

export interface ProtocolClient extends Disposable {
  send(request: SentRequest): Promise<Received>;
}

export interface ClientTls {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export function http1Client(url: string, tls: ClientTls): ProtocolClient {
  const agent = new Agent({ ...tls, keepAlive: true });
  return {
    async send({ method, path, body, onData }) {
      const sent = request(`${url}${path}`, { method, agent, headers: typeOf(body) });
      sent.end(bodyText(body));
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return received(response.headers, response, { status: response.statusCode, onData });
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}

export function http2Client(url: string, tls: ClientTls): ProtocolClient {
  let session: ClientHttp2Session | undefined;
  const connected = (): ClientHttp2Session => {
    if (session?.destroyed === false) return session;
    session = connect(url, tls);
    session.on('error', () => undefined);
    return session;
  };
  return {
    async send({ method, path, body, onData }) {
      const stream = connected().request({ ':method': method, ':path': path, ...typeOf(body) }, { endStream: false });
      stream.end(bodyText(body));
      const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
      return received(headers, stream, { status: Number(headers[':status']), onData });
    },
    [Symbol.dispose]: () => session?.destroy(),
  };
}

function typeOf(body: object | undefined): { readonly [name: string]: string } {
  return body === undefined ? {} : { 'content-type': 'application/json' };
}

function bodyText(body: object | undefined): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body);
}

const unlike = /^(?::status|date|audit-id|connection|keep-alive|transfer-encoding|content-length|x-kubernetes-pf-.*)$/;

async function received(
  headers: { readonly [name: string]: unknown },
  stream: Readable,
  { status = 0, onData }: { readonly status: number | undefined; readonly onData: (() => void) | undefined },
): Promise<Received> {
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !unlike.test(name)));
  let body = '';
  try {
    for await (const chunk of stream) {
      body += String(chunk);
      onData?.();
    }
  } catch {
    return { status, headers: kept, body, isCutOff: true };
  }
  return { status, headers: kept, body, isCutOff: false };
}
