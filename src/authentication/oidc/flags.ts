import type { OidcConfig } from '../authentication-config.ts';
import type { AuthenticationConfiguration, ClaimMappings } from './configuration.ts';

/** The `--oidc-*` flags as a configuration file would express them. */
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
  // User names from the `email` claim get no prefix.
  const usual = usernameClaim === 'email' ? '' : `${issuerUrl}#`;
  const prefix = usernamePrefix === '-' ? '' : usernamePrefix === '' ? usual : usernamePrefix;
  const username = { claim: usernameClaim, prefix };
  return groupsClaim === '' ? { username } : { username, groups: { claim: groupsClaim, prefix: groupsPrefix } };
}
