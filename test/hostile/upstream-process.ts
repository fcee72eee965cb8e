import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { systemClock } from '../../src/api/clock.ts';
import { openCertificateStore } from '../../src/authentication/pki/certificate-store.ts';
import { misdeeds, wellBehaved } from './misdeeds.ts';

/**
 * A forked process with an IPC channel: servers that misbehave. The name of a [misdeed](./misdeeds.ts) is answered with
 * the port of a server that does it. A process of its own, so that what it does costs the test no time.
 */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-misdeeds-'));
  const serverNames = { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] };
  const { server: pair } = await openCertificateStore({ folder, serverNames, clock: systemClock });
  await rm(folder, { recursive: true });
  const tls = { key: pair.key, cert: pair.certificate };
  const ports = new Map<string, number>();

  async function portOf(name: string): Promise<number> {
    const misdeed = misdeeds.get(name);
    if (misdeed === undefined) throw new Error(`nobody does ${name}`);
    const server = createServer({ ...tls, ALPNProtocols: [misdeed.protocol, 'http/1.1'] }, (socket: TLSSocket) => {
      socket.on('error', () => socket.destroy());
      // Availability is checked over HTTP/1.1.
      (socket.alpnProtocol === misdeed.protocol ? misdeed : wellBehaved).serve(socket);
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  process.on('message', (name: string) => {
    void (async () => {
      const port = ports.get(name) ?? (await portOf(name));
      ports.set(name, port);
      process.send?.({ name, port });
    })();
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.('ready');
}

await main();
