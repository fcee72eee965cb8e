import type { Authenticator, Credentials, PresentedToken } from '../api/contracts/authentication.ts';
import { anonymousUser } from '../api/contracts/user.ts';
import { unescapedKey } from '../api/text/header-values.ts';
import type { AuthenticatorContext } from './authenticator-context.ts';
import type { ConfiguredAuthentication } from './oidc/configured-issuers.ts';
import { bearerTokenAuthenticator, webSocketTokenAuthenticator } from './bearer-token.ts';
import { clientCertificateAuthenticator } from './client-certificate.ts';
import { accountTokenAuthenticator } from './service-account/token-verifier.ts';
import { cachedTokens } from './token-cache.ts';
import { tokenCacheMetrics } from './token-cache-metrics.ts';
import { tokenFile } from './token-file.ts';
import { unionAuthenticator } from './union.ts';

type Made<Shown> = Authenticator<Shown> | undefined;

/** One authentication method. Large ones are imported in `make`: only what is configured is loaded. */
export interface AuthenticatorRow<Shown = Credentials, Context = RequestAuthenticatorContext> {
  readonly name: string;
  /** A last resort applies only to requests without any credentials, not to those whose credentials were rejected. */
  readonly lastResort?: boolean;
  /** Returns undefined when not configured. Throws configuration errors. */
  readonly make: (context: Context) => Made<Shown> | Promise<Made<Shown>>;
}

export type TokenAuthenticatorRow = AuthenticatorRow<PresentedToken, AuthenticatorContext>;

export interface RequestAuthenticatorContext extends AuthenticatorContext {
  /** The union of all token authenticators. */
  readonly tokens: Authenticator<PresentedToken>;
}

/** Token authenticators, in the order in which they are asked. */
export const tokenAuthenticatorTable: readonly TokenAuthenticatorRow[] = [
  { name: 'token-file', make: tokenFile },
  {
    name: 'service-account',
    make: ({ accountTokens: tokens, ...context }) => accountTokenAuthenticator({ tokens, ...context }),
  },
  { name: 'bootstrap-token', make: bootstrapToken },
  { name: 'openid-connect', make: ({ configured }) => configured?.tokens },
  { name: 'webhook', make: tokenWebhook },
];

/** Request authenticators, in the order in which they are asked. */
export const authenticatorTable: readonly AuthenticatorRow[] = [
  { name: 'request-header', make: requestHeader },
  { name: 'client-certificate', make: clientCertificateAuthenticator },
  { name: 'bearer-token', make: ({ tokens }) => bearerTokenAuthenticator(tokens) },
  { name: 'websocket-token', make: ({ tokens }) => webSocketTokenAuthenticator(tokens) },
  { name: 'anonymous', lastResort: true, make: anonymousOf },
];

async function bootstrapToken({ config, stored, clock }: AuthenticatorContext): Promise<Made<PresentedToken>> {
  if (!config.bootstrapTokens) return undefined;
  const { bootstrapTokenAuthenticator } = await import('./bootstrap-token.ts');
  return bootstrapTokenAuthenticator(stored, clock);
}

async function tokenWebhook(context: AuthenticatorContext): Promise<Made<PresentedToken>> {
  if (context.config.tokenWebhook.configFile === undefined) return undefined;
  const { tokenWebhookAuthenticator } = await import('./token-webhook.ts');
  return tokenWebhookAuthenticator(context);
}

async function requestHeader(context: AuthenticatorContext): Promise<Authenticator | undefined> {
  if (context.config.requestHeader.clientCaFile === undefined) return undefined;
  const { requestHeaderAuthenticator } = await import('./request-headers.ts');
  return requestHeaderAuthenticator(context);
}

const anonymousIdentity = { user: anonymousUser };
const anonymous: Authenticator = { authenticate: () => anonymousIdentity };

/** Anonymous requests may be limited to some paths, by a configuration file or for lack of authorization. */
function anonymousOf({ config, configured, anonymousPaths }: AuthenticatorContext): Made<Credentials> {
  if (configured?.anonymous === undefined) {
    if (!config.anonymous) return undefined;
    return anonymousPaths === undefined ? anonymous : anonymousAt(anonymousPaths);
  }
  const { enabled = false, conditions = [] } = configured.anonymous;
  if (!enabled) return undefined;
  if (conditions.length === 0) return anonymous;
  const paths = new Set(conditions.map(({ path = '' }) => path));
  return anonymousAt((path) => paths.has(path));
}

function anonymousAt(isOpen: (path: string) => boolean): Authenticator {
  return { authenticate: ({ path }) => (isOpen(unescapedKey(path)) ? anonymousIdentity : undefined) };
}

/** What the authenticators do not determine themselves. */
type GivenContext = Omit<AuthenticatorContext, 'configured' | 'tokenCache'>;

/** Makes the configured authenticators of both tables, and their union. */
export async function makeAuthenticators(
  tables: { readonly tokens: readonly TokenAuthenticatorRow[]; readonly requests: readonly AuthenticatorRow[] },
  given: GivenContext,
): Promise<RequestAuthenticators> {
  const tokenCache = tokenCacheMetrics(given);
  const context = { ...given, configured: await configuredBy(given), tokenCache };
  const cached = { metrics: tokenCache, name: 'all', shared: given.sharedTokens, clock: given.clock };
  const tokens = cachedTokens(unionAuthenticator(await made(tables.tokens, context)), cached);
  const all = { ...context, tokens };
  const credentials = unionAuthenticator(
    await made(
      tables.requests.filter(({ lastResort }) => lastResort !== true),
      all,
    ),
  );
  const rest = unionAuthenticator(
    await made(
      tables.requests.filter(({ lastResort }) => lastResort === true),
      all,
    ),
  );
  return { tokens, requests: orElse(credentials, rest) };
}

/** Undefined when neither flags nor a file configure OpenID Connect. */
async function configuredBy(context: GivenContext): Promise<ConfiguredAuthentication | undefined> {
  const { configFile, oidc } = context.config;
  if (configFile === undefined && !oidc.isGiven) return undefined;
  const { configuredAuthentication } = await import('./oidc/configured-issuers.ts');
  return configuredAuthentication(context);
}

export interface RequestAuthenticators {
  /** For TokenReviews. */
  readonly tokens: Authenticator<PresentedToken>;
  readonly requests: Authenticator;
}

async function made<Shown, Context>(
  rows: readonly AuthenticatorRow<Shown, Context>[],
  context: Context,
): Promise<readonly Authenticator<Shown>[]> {
  const all = await Promise.all(rows.map(async (row) => row.make(context)));
  return all.filter((each) => each !== undefined);
}

/** Unlike in a union, a rejection by the first is final. */
function orElse(first: Authenticator, second: Authenticator): Authenticator {
  return {
    authenticate(credentials) {
      const identity = first.authenticate(credentials);
      if (identity instanceof Promise) return identity.then((late) => late ?? second.authenticate(credentials));
      return identity ?? second.authenticate(credentials);
    },
  };
}
