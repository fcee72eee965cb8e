import type { PeerCertificate } from 'node:tls';
import type { Authenticator, Credentials } from '../api/authentication.ts';
import type { UserInfo } from '../api/user.ts';

/** The user name is the subject's common name, each organization a group (specification, "Methods"). */
export function clientCertificateAuthenticator(): Authenticator {
  return {
    authenticate(credentials: Credentials): UserInfo | undefined {
      const certificate = credentials.clientCertificate();
      return certificate === undefined ? undefined : userOf(certificate);
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
