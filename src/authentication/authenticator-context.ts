import type { Client } from '../api/client.ts';
import type { PartContext } from '../api/part.ts';
import type { AuthenticationConfig } from './authentication-config.ts';
import type { ConfiguredAuthentication } from './oidc/configured-issuers.ts';
import type { AccountTokens } from './service-account/account-tokens.ts';
import type { StoredObjects } from '../api/stored-objects.ts';

/** What authenticators are made with. */
export interface AuthenticatorContext extends PartContext {
  readonly config: AuthenticationConfig;
  /** What flags of OpenID Connect or a configuration file ask for. */
  readonly configured: ConfiguredAuthentication | undefined;
  /** PEM of the authority that signs the administrator's certificate. */
  readonly ownAuthority: string;
  /** For what is noted about credentials; not before the server has started. */
  readonly client: () => Client;
  /** Secrets, service accounts and whatever else credentials refer to. */
  readonly stored: StoredObjects;
  readonly accountTokens: AccountTokens;
}
