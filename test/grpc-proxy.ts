import { once } from 'node:events';
import { connect, createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';

/** A call that has passed: `/etcdserverpb.KV/Txn`, and its metadata. */
export interface PassedCall {
  readonly path: string;
  readonly metadata: IncomingHttpHeaders;
}

/** Stands in front of a gRPC server, such as etcd, and notes what is sent with calls. */
export interface GrpcProxy extends AsyncDisposable {
  readonly url: string;
  readonly calls: readonly PassedCall[];
}

/** What the server receives in place of bytes that a client sends with a call. */
export type ChangeSent = (path: string, bytes: Buffer) => Buffer;

export async function startGrpcProxy(target: string, change: ChangeSent = (_path, bytes) => bytes): Promise<GrpcProxy> {
  const calls: PassedCall[] = [];
  const upstream = connect(target);
  const server = createServer();
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    const path = headers[':path'] ?? '';
    calls.push({ path, metadata: headers });
    const call = upstream.request(headers);
    passOn(stream, call, (bytes) => change(path, bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => sessions.add(session));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // of a TCP server that listens
    calls,
    async [Symbol.asyncDispose]() {
      upstream.destroy();
      for (const session of sessions) session.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function passOn(
  stream: ServerHttp2Stream,
  call: ReturnType<ReturnType<typeof connect>['request']>,
  change: (bytes: Buffer) => Buffer,
): void {
  let trailers: IncomingHttpHeaders = {};
  stream.on('data', (bytes: Buffer) => call.write(change(bytes))).on('end', () => call.end());
  call.on('response', (headers, flags) => {
    if (stream.destroyed) return;
    // A failed call may end with its headers.
    const endStream = (flags & 1) === 1;
    stream.respond(headers, { waitForTrailers: !endStream, endStream });
    if (endStream) return;
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    call.pipe(stream);
  });
  call.on('trailers', (sent) => (trailers = sent));
  call.on('error', () => stream.destroy());
  stream.on('error', () => call.destroy());
  stream.on('close', () => call.close());
}
