import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { systemClock } from '../src/api/time/clock.ts';
import { openCertificateStore } from '../src/authentication/pki/certificate-store.ts';

/** An HTTPS server of a test on this machine. */
export interface HttpsServer extends AsyncDisposable {
  readonly url: string;
  /** The authority of its certificate; PEM. */
  readonly authority: string;
}

export interface HttpsServerOptions {
  /** Where its certificates are. */
  readonly folder: string;
  /** Besides `localhost`. */
  readonly dnsNames?: readonly string[];
  /** Requests client certificates of this authority (PEM), but accepts clients without one. */
  readonly clientAuthority?: string;
  /** Handles upgrades; absent: they are ordinary requests. */
  readonly upgraded?: (request: IncomingMessage, socket: Duplex) => void;
}

export async function startHttpsServer(
  { folder, dnsNames = [], clientAuthority, upgraded }: HttpsServerOptions,
  listener: RequestListener,
): Promise<HttpsServer> {
  const serverNames = { dnsNames: ['localhost', ...dnsNames], ipAddresses: ['127.0.0.1'] };
  const { server: pair, authority } = await openCertificateStore({ folder, serverNames, clock: systemClock });
  const clients =
    clientAuthority === undefined ? {} : { ca: clientAuthority, requestCert: true, rejectUnauthorized: false };
  const server = createServer({ key: pair.key, cert: pair.certificate, ...clients }, listener);
  // A request on a connection that is being closed would fail.
  server.keepAliveTimeout = 0;
  if (upgraded !== undefined) server.on('upgrade', upgraded);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    authority,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The JSON of a request. */
export async function jsonOf<T>(request: IncomingMessage): Promise<T> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as T; // as the test expects it
}
