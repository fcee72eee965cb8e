import type { OidcConfig } from '../authentication-config.ts';
import type { AuthenticationConfiguration, ClaimMappings } from './configuration.ts';

/** What the `--oidc-*` flags would be in a file. */
export async function configurationOf(
  oidc: OidcConfig,
  readFile: (path: string) => Promise<string>,
): Promise<AuthenticationConfiguration> {
  const { issuerUrl, clientId, caFile, requiredClaims } = oidc;
  if (issuerUrl === '' || clientId === '') return {};
  const certificateAuthority = caFile === undefined ? '' : await readFile(caFile);
  return {
    jwt: [
      {
        issuer: { url: issuerUrl, audiences: [clientId], certificateAuthority },
        claimMappings: mappingsOf(oidc),
        claimValidationRules: [...requiredClaims].map(([claim, requiredValue]) => ({ claim, requiredValue })),
      },
    ],
  };
}

function mappingsOf({
  issuerUrl,
  usernameClaim,
  usernamePrefix,
  groupsClaim,
  groupsPrefix,
}: OidcConfig): ClaimMappings {
  // Addresses of mail are nobody else's.
  const usual = usernameClaim === 'email' ? '' : `${issuerUrl}#`;
  const prefix = usernamePrefix === '-' ? '' : usernamePrefix === '' ? usual : usernamePrefix;
  const username = { claim: usernameClaim, prefix };
  return groupsClaim === '' ? { username } : { username, groups: { claim: groupsClaim, prefix: groupsPrefix } };
}
