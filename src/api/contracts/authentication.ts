import type { UserInfo } from './user.ts';

/** The credentials of a request. Nothing is parsed before it is used. */
export interface Credentials {
  /** Identity of the connection: a key for what is cached per connection. */
  readonly connection: object;
  /** Path as sent, without the query: anonymous requests may be limited to some paths. */
  readonly path: string;
  /** A request header by lower-case name; several values are joined with commas. */
  header(name: string): string | undefined;
  /** Lower-case names and values of the headers with this prefix, in the order sent. */
  headersLike(prefix: string): readonly (readonly [name: string, value: string])[];
  /** Undefined without a client certificate. */
  peer(): PeerCertificates | undefined;
  /** The bearer token among the offered WebSocket subprotocols, as browsers cannot set the Authorization header. */
  readonly webSocketToken: string | undefined;
}

/**
 * The client's certificate, then its issuers as far as sent or known, in DER; none of them verified. A resumed TLS
 * session has only the first.
 */
export type PeerCertificates = readonly [Buffer, ...(readonly Buffer[])];

/** A bearer token, from a request or a TokenReview. */
export interface PresentedToken {
  readonly token: string;
  /** Required audiences; empty: those of this server. */
  readonly audiences: readonly string[];
}

/** An authenticated user. */
export interface Identity {
  readonly user: UserInfo;
  /**
   * The requested audiences that the credentials are valid for; absent: the authenticator does not support audiences.
   */
  readonly audiences?: readonly string[];
  /** Warnings for the client. */
  readonly warnings?: readonly string[];
  /** Annotations of the audit events of the user's requests. */
  readonly annotations?: { readonly [key: string]: string };
}

/**
 * One authentication method. Returns undefined when the request carries no credentials of its kind; throws the 401
 * StatusError when they are invalid. Implementations return synchronously where they can: most requests never wait.
 */
export interface Authenticator<Shown = Credentials> {
  authenticate(shown: Shown): Identity | undefined | Promise<Identity | undefined>;
}
