import { connect, type TLSSocket } from 'node:tls';

/** The authority of the certificate that a client is shown which asks for a name. */
export async function issuerShown(url: string, servername: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket: TLSSocket = connect({ host: hostname, port: Number(port), servername, rejectUnauthorized: false });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once('secureConnect', resolve).once('error', reject);
  await promise;
  const { issuer } = socket.getPeerCertificate();
  socket.destroy();
  return String(issuer.CN);
}
