import type { PeerCertificate } from 'node:tls';
import type { UserInfo } from './user.ts';

/** What an authenticator may look at. */
export interface Credentials {
  /** The value of the Authorization header. */
  readonly authorization: string | undefined;
  /** The client certificate, already verified against the client CA by the TLS handshake. */
  clientCertificate(): PeerCertificate | undefined;
}

/**
 * One way of telling who makes a request. Answers undefined when the request carries no credentials of its kind;
 * throws the 401 StatusError when it carries such that do not hold.
 */
export interface Authenticator {
  authenticate(credentials: Credentials): UserInfo | undefined | Promise<UserInfo | undefined>;
}
