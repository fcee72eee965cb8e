import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { systemClock } from '../../src/api/time/clock.ts';
import { openCertificateStore } from '../../src/authentication/pki/certificate-store.ts';
import type { Order } from './hostile-upstream.ts';
import type { Misdeed } from './misdeed.ts';
import { misdeeds, wellBehaved } from './misdeeds.ts';

/**
 * A forked process with an IPC channel: servers that misbehave. An order for a [misdeed](./misdeeds.ts) is answered
 * with the port of the server that does it. A process of its own, so that what it does costs the test no time.
 */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-misdeeds-'));
  const serverNames = { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] };
  const { server: pair } = await openCertificateStore({ folder, serverNames, clock: systemClock });
  await rm(folder, { recursive: true });
  const tls = { key: pair.key, cert: pair.certificate };
  const ports = new Map<string, number>();
  const servers = new Map<string, (begins: boolean) => void>();

  async function portOf(name: string): Promise<number> {
    const misdeed = misdeeds.get(name);
    if (misdeed === undefined) throw new Error(`nobody does ${name}`);
    const sockets = new Set<TLSSocket>();
    let protocol: Misdeed['protocol'] = 'http/1.1';
    const server = createServer({ ...tls, ALPNCallback: () => protocol }, (socket: TLSSocket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      socket.on('error', () => socket.destroy());
      // Availability is checked before the misdeed begins.
      (protocol === misdeed.protocol ? misdeed : wellBehaved).serve(socket);
    });
    servers.set(name, (begins) => {
      protocol = begins ? misdeed.protocol : 'http/1.1';
      for (const socket of sockets) if (begins && socket.alpnProtocol !== protocol) socket.destroy();
    });
    await new Promise<void>((resolve) => void server.listen(0, '0.0.0.0', resolve));
    return (server.address() as AddressInfo).port;
  }

  process.on('message', ({ name, begins }: Order) => {
    void (async () => {
      const port = ports.get(name) ?? (await portOf(name));
      ports.set(name, port);
      servers.get(name)?.(begins);
      process.send?.({ name, begins, port });
    })();
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.('ready');
}

await main();
