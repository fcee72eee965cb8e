import type { PeerCertificate } from 'node:tls';
import type { Authenticator, Identity } from '../api/authentication.ts';
import type { UserInfo } from '../api/user.ts';

/**
 * The user name is the subject's common name, each organization a group (specification, "Methods"). A connection's certificate
 * is read once.
 */
export function clientCertificateAuthenticator(): Authenticator {
  /** `none`: there is no certificate that tells a user. */
  const known = new WeakMap<object, Identity | 'none'>();
  return {
    authenticate(credentials) {
      const { connection } = credentials;
      let identity = known.get(connection);
      if (identity === undefined) {
        const shown = credentials.peer();
        const user = shown?.verified === true ? userOf(shown.chain[0]) : undefined;
        identity = user === undefined ? 'none' : { user };
        known.set(connection, identity);
      }
      return identity === 'none' ? undefined : identity;
    },
  };
}

function userOf({ subject, fingerprint256 }: PeerCertificate): UserInfo | undefined {
  const [name] = valuesOf(subject.CN);
  if (name === undefined || name === '') return undefined;
  const credentialId = `X509SHA256=${fingerprint256.replaceAll(':', '').toLowerCase()}`;
  return {
    name,
    uid: '',
    groups: valuesOf(subject.O),
    extra: { 'authentication.kubernetes.io/credential-id': [credentialId] },
  };
}

/** A subject attribute that occurs more than once is an array at run time. */
function valuesOf(attribute: string | string[] | undefined): string[] {
  if (attribute === undefined) return [];
  return Array.isArray(attribute) ? attribute : [attribute];
}
