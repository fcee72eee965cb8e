import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { systemClock } from '../src/api/time/clock.ts';
import { openCertificateStore } from '../src/authentication/pki/certificate-store.ts';

// A webhook that allows everything. Runs in its own process: its cost is not attributed to the server.

/** What the process sends when it listens. */
export interface HookAddress {
  readonly url: string;
  /** PEM in Base64. */
  readonly caBundle: string;
}

const folder = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
const serverNames = { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] };
const { server: pair, authority } = await openCertificateStore({ folder, serverNames, clock: systemClock });
rmSync(folder, { recursive: true, force: true });

const server = createServer({ key: pair.key, cert: pair.certificate }, (request, response) => {
  void text(request).then((review) => {
    const {
      kind,
      apiVersion,
      request: asked,
    } = JSON.parse(review) as {
      readonly kind: string;
      readonly apiVersion: string;
      readonly request: { readonly uid: string };
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kind, apiVersion, response: { uid: asked.uid, allowed: true } }));
  });
});
// A call on a connection that is being closed would fail.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // of TCP
  const address: HookAddress = {
    url: `https://127.0.0.1:${port}`,
    caBundle: Buffer.from(authority).toString('base64'),
  };
  process.send?.(address);
});
