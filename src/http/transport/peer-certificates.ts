import type { DetailedPeerCertificate, PeerCertificate, TLSSocket } from 'node:tls';
import type { PeerCertificates } from '../../api/authentication.ts';

/** What the client showed in the handshake. */
export function peerOf(socket: TLSSocket | undefined): PeerCertificates | undefined {
  const own = socket?.getPeerCertificate(true);
  // Without a certificate there is an object without anything in it.
  if (socket === undefined || own?.subject === undefined) return undefined;
  return { chain: [own, ...issuersOf(own)], verified: socket.authorized };
}

/** A chain ends with a certificate that is its own issuer, or whose issuer was not sent. */
function issuersOf(certificate: DetailedPeerCertificate): PeerCertificate[] {
  const { issuerCertificate: issuer } = certificate;
  return issuer === undefined || issuer === certificate ? [] : [issuer, ...issuersOf(issuer)];
}
