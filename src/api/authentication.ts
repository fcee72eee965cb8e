import type { PeerCertificate } from 'node:tls';
import type { UserInfo } from './user.ts';

/** What a request shows of who makes it. Nothing is read before it is asked for. */
export interface Credentials {
  /** Lives as long as the connection: a key for what is learned once a connection. */
  readonly connection: object;
  /** As it was sent, without the query: a few paths may be open to all. */
  readonly path: string;
  /** A request header by lower-case name; several values are joined with a comma. */
  header(name: string): string | undefined;
  /** Names, in lower case, and values of the headers whose names begin with `prefix`, in the order they were sent. */
  headersLike(prefix: string): readonly (readonly [name: string, value: string])[];
  /** Undefined when the client showed no certificate. */
  peer(): PeerCertificates | undefined;
  /** The bearer token among the subprotocols that a WebSocket client offers, since browsers cannot set the Authorization header. */
  readonly webSocketToken: string | undefined;
}

/** What the client showed in the TLS handshake. */
export interface PeerCertificates {
  /** The client's own certificate, then its issuers as far as they were sent or are known. A resumed TLS session keeps only the first. */
  readonly chain: readonly [PeerCertificate, ...PeerCertificate[]];
  /** The handshake verified the chain against the authorities of client certificates. */
  readonly verified: boolean;
}

/** A bearer token, out of a request or a TokenReview. */
export interface PresentedToken {
  readonly token: string;
  /** Whom the token must be meant for; none: the server's own audiences. */
  readonly audiences: readonly string[];
}

/** Somebody who has been authenticated. */
export interface Identity {
  readonly user: UserInfo;
  /** Those of the audiences asked for that the credentials are meant for; absent: the authenticator knows of no audiences. */
  readonly audiences?: readonly string[];
  /** What who showed the credentials should know of them. */
  readonly warnings?: readonly string[];
}

/**
 * One way to tell who makes a request. Answers undefined when the request shows no credentials of its kind; throws the
 * 401 StatusError when those it shows do not hold. What answers at once should: most requests wait for nothing.
 */
export interface Authenticator<Shown = Credentials> {
  authenticate(shown: Shown): Identity | undefined | Promise<Identity | undefined>;
}
