import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Authorities } from './certificate-problem.ts';

/** A server that is not who it should be; the message is Go's. */
export class ServerCertificateError extends Error {
  override readonly name = 'ServerCertificateError';
  readonly code = 'SERVER_CERTIFICATE';
}

/** What the certificate of a server is verified by. */
export interface ExpectedServer {
  /** A DNS name or an address. */
  readonly name: string;
  readonly authorities: Authorities;
}

/** Settings of a connection whose server is verified below, in Go's way and words. */
export const verifiedLater = { rejectUnauthorized: false, checkServerIdentity: () => undefined } as const;

/**
 * Closes a connection and throws a ServerCertificateError unless its server is the expected one. As in Go, the common
 * name does not count.
 */
export async function verifyServer(socket: TLSSocket, expected: ExpectedServer): Promise<void> {
  try {
    await verify(socket, expected);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function verify(socket: TLSSocket, { name, authorities }: ExpectedServer): Promise<void> {
  // Sessions are only kept of servers that have been verified.
  if (socket.authorized && socket.isSessionReused()) return;
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) throw new ServerCertificateError('tls: received empty certificates message');
  const isNamed = namesServer(certificate, name);
  if (socket.authorized && isNamed) return;
  const { certificateProblem } = await import('./certificate-problem.ts');
  const problem = certificateProblem(certificate, { name, isNamed, authorities });
  if (problem !== undefined) throw new ServerCertificateError(problem);
}

function namesServer(certificate: X509Certificate, name: string): boolean {
  if (isIP(name) !== 0) return certificate.checkIP(name) !== undefined;
  return certificate.checkHost(name, { subject: 'never', partialWildcards: false }) !== undefined;
}
