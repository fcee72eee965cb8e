import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer } from 'node:https';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/api/time/clock.ts';
import { openCertificateStore } from '../src/authentication/pki/certificate-store.ts';
import { podText } from './pod.ts';

// Runs in its own process: an aggregated server and a webhook, over HTTP/1.1 and over HTTP/2.

/** What the process sends when it listens. */
export interface OutgoingServer {
  /** PEM */
  readonly authority: string;
  readonly ports: { readonly http1: number; readonly http2: number };
}

const object = podText('answer', 0);

interface Review {
  readonly kind: string;
  readonly apiVersion: string;
  readonly request: { readonly uid: string };
}

async function answerTo(request: IncomingMessage | Http2ServerRequest): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  if (body.length === 0 || request.url === '/echo') return object;
  const { kind, apiVersion, request: reviewed } = JSON.parse(body) as Review; // a review, from the server
  return JSON.stringify({ kind, apiVersion, response: { uid: reviewed.uid, allowed: true } });
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-bench-outgoing-'));
  const serverNames = { dnsNames: ['http1.bench.svc', 'http2.bench.svc'], ipAddresses: ['127.0.0.1'] };
  const { server: pair, authority } = await openCertificateStore({ folder, serverNames, clock: systemClock });
  rmSync(folder, { recursive: true, force: true });
  const tls = { key: pair.key, cert: pair.certificate };
  const listener = (
    request: IncomingMessage | Http2ServerRequest,
    response: ServerResponse | Http2ServerResponse,
  ): void => {
    const isDocument = request.url === '/apis' || request.url?.startsWith('/openapi/') === true;
    if (isDocument) response.statusCode = 404;
    void answerTo(request).then((text) => {
      response.setHeader('content-type', 'application/json');
      response.setHeader('content-length', Buffer.byteLength(text));
      response.setHeader('cache-control', 'no-cache, private');
      response.end(text);
    });
  };
  const portOf = async (server: ReturnType<typeof createServer> | ReturnType<typeof createSecureServer>) => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const http1 = await portOf(createServer({ ...tls, keepAliveTimeout: 0 }, listener));
  const http2 = await portOf(createSecureServer({ ...tls, allowHTTP1: true }, listener));
  process.on('disconnect', () => process.exit(0));
  process.send?.({ authority, ports: { http1, http2 } } satisfies OutgoingServer);
}

await main();
