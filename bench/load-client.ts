import { once } from 'node:events';
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders, sensitiveHeaders } from 'node:http2';
import type { Access } from './target.ts';

const windowBytes = 8 * 1024 * 1024;

/** HTTP/2 over TLS, like client-go: one connection for all requests. */
export interface Connections {
  readonly shared: ClientHttp2Session;
  /** Headers by which each request says who makes it. */
  readonly credentials: Readonly<OutgoingHttpHeaders>;
  another(): Promise<ClientHttp2Session>;
}

export async function openConnections({ url, ca, cert, key, token, padding }: Access): Promise<Connections> {
  const shown = cert === undefined || key === undefined ? {} : { cert, key };
  const another = async (): Promise<ClientHttp2Session> => {
    const settings = { initialWindowSize: windowBytes, enablePush: false };
    const session = connect(url, { ca, ...shown, settings, maxSessionMemory: 1000 });
    session.on('error', () => undefined);
    await once(session, 'connect');
    session.setLocalWindowSize(windowBytes * 4);
    return session;
  };
  const credentials: Connections['credentials'] = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(padding === undefined ? {} : { 'x-padding': padding, [sensitiveHeaders]: ['x-padding'] }),
  };
  return { shared: await another(), another, credentials };
}

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly encoding?: string;
  readonly body?: string | Uint8Array;
}

export function request(
  { shared, credentials }: Connections,
  { method, path, contentType, accept = 'application/json', encoding, body }: Sent,
): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const stream = shared.request(
      {
        ...credentials,
        ':method': method,
        ':path': path,
        accept,
        ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
        ...(body === undefined ? {} : { 'content-type': contentType ?? 'application/json' }),
      },
      { endStream: body === undefined },
    );
    let status = 0;
    const chunks: Buffer[] = [];
    stream.on('response', (headers) => {
      status = Number(headers[':status']);
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => resolve({ status, body: Buffer.concat(chunks) }));
    stream.on('error', reject);
    if (body !== undefined) stream.end(body);
  });
}

/** Resolves when the response has started. Events are lines. */
export function watch(session: ClientHttp2Session, path: string, received: (events: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': path, accept: 'application/json' });
    stream.on('response', (headers) => {
      if (headers[':status'] === 200) resolve();
      else reject(new Error(`watch: ${headers[':status']}`));
    });
    stream.on('data', (chunk: Buffer) => received(lines(chunk)));
    stream.on('error', reject);
  });
}

function lines(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, at + 1)) count += 1;
  return count;
}
