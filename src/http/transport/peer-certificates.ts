import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import type { PeerCertificates } from '../../api/contracts/authentication.ts';

/** The certificates that a client has shown in the TLS handshake. */
export function peerOf(socket: TLSSocket | undefined): PeerCertificates | undefined {
  const own = socket?.getPeerCertificate(true);
  // Without a certificate node returns an empty object.
  return own?.subject === undefined ? undefined : [own.raw, ...issuersOf(own)];
}

/** A chain ends with a self-signed certificate, or one whose issuer was not sent. */
function issuersOf(certificate: DetailedPeerCertificate): readonly Buffer[] {
  const { issuerCertificate: issuer } = certificate;
  return issuer === undefined || issuer === certificate ? [] : [issuer.raw, ...issuersOf(issuer)];
}
