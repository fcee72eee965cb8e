import type { AuthenticationConfig, OidcConfig } from '../authentication/authentication-config.ts';
import type { ServerConfig } from '../server/config.ts';
import { type BuiltFlag, flag, fileOf } from './flag.ts';
import { UsageError } from './errors.ts';
import { boolean, duration, FlagValueError, string, stringArray, strings } from './flag-types.ts';

type RequestHeaders = AuthenticationConfig['requestHeader'];

/** Flags of authentication methods that are off by default. */
export const authenticationFlags: readonly BuiltFlag[] = [
  flag('authentication-config', {
    type: string,
    help: 'file of an AuthenticationConfiguration: token issuers and anonymous access',
    set: (file, { authentication }) => ({ authentication: { ...authentication, configFile: fileOf(file) } }),
  }),
  flag('authentication-token-webhook-cache-ttl', {
    type: duration,
    help: 'how long to cache responses of the token webhook',
    set: (cacheMs, config) => tokenWebhook(config, { cacheMs }),
  }),
  flag('authentication-token-webhook-config-file', {
    type: string,
    help: 'kubeconfig of a webhook that authenticates tokens',
    set: (file, config) => tokenWebhook(config, { configFile: fileOf(file) }),
  }),
  flag('authentication-token-webhook-version', {
    type: string,
    help: 'version of the TokenReviews sent to the webhook: v1 or v1beta1',
    set: (version, config) => tokenWebhook(config, { version }),
  }),
  flag('enable-bootstrap-token-auth', {
    type: boolean,
    help: 'accept bootstrap tokens: secrets of type bootstrap.kubernetes.io/token in kube-system',
    set: (bootstrapTokens, { authentication }) => ({ authentication: { ...authentication, bootstrapTokens } }),
  }),
  flag('oidc-ca-file', {
    type: string,
    help: 'PEM file of the certificate authorities of the OpenID issuer; default: those of the system',
    set: (file, config) => oidc(config, { caFile: fileOf(file) }),
  }),
  flag('oidc-client-id', {
    type: string,
    help: 'client ID that tokens must be issued for',
    set: (clientId, config) => oidc(config, { clientId }),
  }),
  flag('oidc-groups-claim', {
    type: string,
    help: 'claim with the groups of the user',
    set: (groupsClaim, config) => oidc(config, { groupsClaim }),
  }),
  flag('oidc-groups-prefix', {
    type: string,
    help: 'prefix for group names',
    set: (groupsPrefix, config) => oidc(config, { groupsPrefix }),
  }),
  flag('oidc-issuer-url', {
    type: string,
    help: 'https URL of the OpenID issuer whose tokens are accepted',
    set: (issuerUrl, config) => oidc(config, { issuerUrl }),
  }),
  flag('oidc-required-claim', {
    type: stringArray,
    help: 'required claim and its value, as key=value; can be repeated',
    set: (pairs, config) => oidc(config, { requiredClaims: new Map(pairs.map(claimPair)) }),
  }),
  flag('oidc-signing-algs', {
    type: strings,
    help: 'accepted signing algorithms',
    set: (signingAlgs, config) => oidc(config, { signingAlgs }),
  }),
  flag('oidc-username-claim', {
    type: string,
    help: 'claim with the user name',
    set: (usernameClaim, config) => oidc(config, { usernameClaim }),
  }),
  flag('oidc-username-prefix', {
    type: string,
    help: 'prefix for user names; -: none',
    set: (usernamePrefix, config) => oidc(config, { usernamePrefix }),
  }),
  flag('requestheader-allowed-names', {
    type: strings,
    help: 'accepted common names in the client certificates of authenticating proxies; empty: any',
    set: (names, config) => requestHeaders(config, { allowedNames: present('requestheader-allowed-names', names) }),
  }),
  flag('requestheader-client-ca-file', {
    type: string,
    help: 'PEM file of the certificate authorities of authenticating proxies',
    set: (file, config) => requestHeaders(config, { clientCaFile: fileOf(file) }),
  }),
  flag('requestheader-extra-headers-prefix', {
    type: strings,
    help: 'prefixes of headers with extra user information, such as X-Remote-Extra-',
    set: (prefixes, config) =>
      requestHeaders(config, { extraHeaderPrefixes: present('requestheader-extra-headers-prefix', prefixes) }),
  }),
  flag('requestheader-group-headers', {
    type: strings,
    help: 'headers with the groups of the user, such as X-Remote-Group',
    set: (names, config) => requestHeaders(config, { groupHeaders: present('requestheader-group-headers', names) }),
  }),
  flag('requestheader-uid-headers', {
    type: strings,
    help: 'headers with the UID of the user, such as X-Remote-Uid',
    set: (names, config) => requestHeaders(config, { uidHeaders: uidHeaders(names) }),
  }),
  flag('requestheader-username-headers', {
    type: strings,
    help: 'headers with the user name, such as X-Remote-User; the first non-empty one is used',
    set: (names, config) =>
      requestHeaders(config, { usernameHeaders: present('requestheader-username-headers', names) }),
  }),
];

function tokenWebhook(
  { authentication }: ServerConfig,
  changes: Partial<AuthenticationConfig['tokenWebhook']>,
): Partial<ServerConfig> {
  return { authentication: { ...authentication, tokenWebhook: { ...authentication.tokenWebhook, ...changes } } };
}

function oidc({ authentication }: ServerConfig, changes: Partial<OidcConfig>): Partial<ServerConfig> {
  return { authentication: { ...authentication, oidc: { ...authentication.oidc, ...changes, isGiven: true } } };
}

function claimPair(text: string): readonly [claim: string, value: string] {
  const at = text.indexOf('=');
  if (at === -1) throw new FlagValueError(`malformed pair, expect string=string`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** Checks combinations. Throws a UsageError. */
export function checkAuthentication({
  oidc: { isGiven, issuerUrl, clientId },
  configFile,
}: AuthenticationConfig): void {
  if (!isGiven) return;
  if (configFile !== undefined) {
    throw new UsageError('authentication-config file and oidc-* flags are mutually exclusive');
  }
  if (issuerUrl !== '' && clientId !== '') return;
  throw new UsageError('oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set');
}

function requestHeaders({ authentication }: ServerConfig, changes: Partial<RequestHeaders>): Partial<ServerConfig> {
  return { authentication: { ...authentication, requestHeader: { ...authentication.requestHeader, ...changes } } };
}

function present(name: string, values: readonly string[]): readonly string[] {
  if (values.some((value) => value.trim() === '')) throw new FlagValueError(`empty value in "${name}"`);
  return values;
}

function uidHeaders(names: readonly string[]): readonly string[] {
  const known = present('requestheader-uid-headers', names);
  if (known.length === 0 || known.some((name) => name.toLowerCase() === 'x-remote-uid')) return known;
  throw new FlagValueError(
    '--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - API aggregation will not work',
  );
}
