import type { Client } from '../api/client/client.ts';
import type { PartContext } from '../api/contracts/part.ts';
import type { AuthenticationConfig } from './authentication-config.ts';
import type { ConfiguredAuthentication } from './oidc/configured-issuers.ts';
import type { AccountTokens } from './service-account/account-tokens.ts';
import type { StoredObjects } from '../api/contracts/stored-objects.ts';
import type { SharedTokens } from './shared-tokens.ts';
import type { TokenCacheMetrics } from './token-cache-metrics.ts';

/** Dependencies of authenticators. */
export interface AuthenticatorContext extends PartContext {
  readonly config: AuthenticationConfig;
  /** This server's id in metrics. */
  readonly serverId: string;
  /** OpenID Connect as configured by flags or file. */
  readonly configured: ConfiguredAuthentication | undefined;
  /** PEM of the authority that signed the administrator's certificate. */
  readonly ownAuthority: string;
  /** The only paths of anonymous requests, unless a file says more; absent: all. */
  readonly anonymousPaths?: (path: string) => boolean;
  /** For writing annotations and labels about credentials; available once the server has started. */
  readonly client: () => Client;
  /** Secrets, service accounts and other objects that credentials refer to. */
  readonly stored: StoredObjects;
  readonly accountTokens: AccountTokens;
  readonly tokenCache: TokenCacheMetrics;
  /** What other threads remember of tokens; absent: there are none. */
  readonly sharedTokens?: SharedTokens | undefined;
}
