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

export async function startGrpcProxy(target: string): Promise<GrpcProxy> {
  const calls: PassedCall[] = [];
  const upstream = connect(target);
  const server = createServer();
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    calls.push({ path: headers[':path'] ?? '', metadata: headers });
    const asked = upstream.request(headers);
    passOn(stream, asked);
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

function passOn(stream: ServerHttp2Stream, asked: ReturnType<ReturnType<typeof connect>['request']>): void {
  let trailers: IncomingHttpHeaders = {};
  stream.pipe(asked);
  asked.on('response', (headers, flags) => {
    if (stream.destroyed) return;
    // A failed call may end with its headers.
    const endStream = (flags & 1) === 1;
    stream.respond(headers, { waitForTrailers: !endStream, endStream });
    if (endStream) return;
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    asked.pipe(stream);
  });
  asked.on('trailers', (sent) => (trailers = sent));
  asked.on('error', () => stream.destroy());
  stream.on('error', () => asked.destroy());
  stream.on('close', () => asked.close());
}
