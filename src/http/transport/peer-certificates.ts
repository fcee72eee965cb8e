import type { DetailedPeerCertificate, PeerCertificate, TLSSocket } from 'node:tls';
import type { PeerCertificates } from '../../api/authentication.ts';

/** The client certificate chain from the TLS handshake. */
export function peerOf(socket: TLSSocket | undefined): PeerCertificates | undefined {
  const own = socket?.getPeerCertificate(true);
  // Without a certificate node returns an empty object.
  if (socket === undefined || own?.subject === undefined) return undefined;
  return { chain: [own, ...issuersOf(own)], verified: socket.authorized };
}

/** A chain ends with a self-signed certificate, or one whose issuer was not sent. */
function issuersOf(certificate: DetailedPeerCertificate): PeerCertificate[] {
  const { issuerCertificate: issuer } = certificate;
  return issuer === undefined || issuer === certificate ? [] : [issuer, ...issuersOf(issuer)];
}
