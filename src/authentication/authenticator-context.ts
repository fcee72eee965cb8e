import type { Client } from '../api/client.ts';
import type { PartContext } from '../api/part.ts';
import type { AuthenticationConfig } from './authentication-config.ts';
import type { AccountTokens } from './service-account/account-tokens.ts';
import type { StoredObjects } from '../api/stored-objects.ts';

/** What authenticators are made with. */
export interface AuthenticatorContext extends PartContext {
  readonly config: AuthenticationConfig;
  /** PEM of the authority that signs the administrator's certificate. */
  readonly ownAuthority: string;
  /** For what is noted about credentials; not before the server has started. */
  readonly client: () => Client;
  /** Secrets, service accounts and whatever else credentials refer to. */
  readonly stored: StoredObjects;
  readonly accountTokens: AccountTokens;
}
