import type { PartContext } from '../api/part.ts';
import type { AccountTokens, ServiceAccountConfig } from './service-account/account-tokens.ts';
import type { StoredObjects } from '../api/stored-objects.ts';

export interface AuthenticationConfig {
  /** Anonymous requests are `system:anonymous`; otherwise they are answered 401. */
  readonly anonymous: boolean;
  /** Authorities of client certificates, besides the server's own. */
  readonly clientCaFile: string | undefined;
  readonly tokenAuthFile: string | undefined;
  readonly serviceAccounts: ServiceAccountConfig;
}

/** What authenticators are made with. */
export interface AuthenticatorContext extends PartContext {
  readonly config: AuthenticationConfig;
  /** Secrets, service accounts and whatever else credentials refer to. */
  readonly stored: StoredObjects;
  readonly accountTokens: AccountTokens;
}
