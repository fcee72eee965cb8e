import type { Authenticator, Identity } from '../api/contracts/authentication.ts';
import { unauthorized } from '../api/errors/status-errors.ts';
import { commonNameOid, namedParts, organizationOid } from '../codec/x509/distinguished-name.ts';
import type { AuthenticatorContext } from './authenticator-context.ts';
import { ClientAuthorities, type ClientCertificate, readAuthorities, readOnce } from './client-authorities.ts';

/** The subject attribute with the user's UID; the OID is Kubernetes' own. */
const uidOid = '1.3.6.1.4.1.57683.2';

const [hour, day] = [3_600, 86_400];
const hours = [0, 0.5, 1, 2, 6, 12].map((count) => count * hour);
const lifetimeBuckets = [...hours, ...[1, 2, 4, 7, 30, 90, 180, 360].map((count) => count * day)];

/** User name from the subject's common name, groups from its organizations (specification, "Methods"). */
export async function clientCertificateAuthenticator(
  context: Pick<AuthenticatorContext, 'config' | 'ownAuthority' | 'clock' | 'readFile' | 'metric'>,
): Promise<Authenticator> {
  const { clock, ownAuthority, config } = context;
  const own = readAuthorities('the authority of this server', ownAuthority);
  const { clientCaFile } = config;
  const authorities =
    clientCaFile === undefined
      ? new ClientAuthorities(own)
      : await ClientAuthorities.ofFile(clientCaFile, context, own);
  const lifetimes = context.metric({
    name: 'apiserver_client_certificate_expiration_seconds',
    help: 'How long the certificates of clients are still valid, by requests.',
    type: 'histogram',
    labelNames: [],
    buckets: lifetimeBuckets,
  });
  const observe = lifetimes.observer({});
  const onShown = (leftMs: number): void => observe(leftMs / 1_000);
  const userOf = readOnce({ authorities, clock, read: identityOf, onShown });
  return {
    authenticate(credentials) {
      const user = userOf(credentials);
      if (user === 'refused') throw unauthorized();
      return user;
    },
  };
}

function identityOf({ subject: { parts: subject }, fingerprint }: ClientCertificate): Identity | 'refused' | undefined {
  const name = namedParts(subject, commonNameOid).at(-1) ?? '';
  if (name === '') return undefined;
  const [uid, ...more] = namedParts(subject, uidOid);
  if (uid === '' || more.length > 0) return 'refused';
  return {
    user: {
      name,
      uid: uid ?? '',
      groups: namedParts(subject, organizationOid),
      extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] },
    },
  };
}
