import { resolve } from 'node:path';
import type { AuthenticationConfig } from '../authentication/authentication-config.ts';
import type { ServerConfig } from '../server/config.ts';
import { type BuiltFlag, flag } from './flag.ts';
import { boolean, duration, FlagValueError, string, strings } from './flag-types.ts';

type RequestHeaders = AuthenticationConfig['requestHeader'];

/** The flags of the ways to authenticate that are off unless they are asked for. */
export const authenticationFlags: readonly BuiltFlag[] = [
  flag('authentication-token-webhook-cache-ttl', {
    type: duration,
    help: 'how long the answers of the webhook of --authentication-token-webhook-config-file are remembered',
    set: (cacheMs, config) => tokenWebhook(config, { cacheMs }),
  }),
  flag('authentication-token-webhook-config-file', {
    type: string,
    help: 'kubeconfig of a webhook that knows tokens',
    set: (file, config) => tokenWebhook(config, { configFile: fileOf(file) }),
  }),
  flag('authentication-token-webhook-version', {
    type: string,
    help: 'version of the TokenReviews that the webhook is sent: v1 or v1beta1',
    set: (version, config) => tokenWebhook(config, { version }),
  }),
  flag('enable-bootstrap-token-auth', {
    type: boolean,
    help: 'take the tokens of secrets of the type bootstrap.kubernetes.io/token in kube-system, with which nodes join',
    set: (bootstrapTokens, { authentication }) => ({ authentication: { ...authentication, bootstrapTokens } }),
  }),
  flag('requestheader-allowed-names', {
    type: strings,
    help: 'common names that the certificate of a proxy may have which names users in headers; none: any',
    set: (names, config) => requestHeaders(config, { allowedNames: present('requestheader-allowed-names', names) }),
  }),
  flag('requestheader-client-ca-file', {
    type: string,
    help: 'PEM file of the authorities of proxies whose headers name users',
    set: (file, config) => requestHeaders(config, { clientCaFile: fileOf(file) }),
  }),
  flag('requestheader-extra-headers-prefix', {
    type: strings,
    help: 'what the names of headers begin with that tell more of a user, such as X-Remote-Extra-',
    set: (prefixes, config) =>
      requestHeaders(config, { extraHeaderPrefixes: present('requestheader-extra-headers-prefix', prefixes) }),
  }),
  flag('requestheader-group-headers', {
    type: strings,
    help: 'headers that name the groups of a user, such as X-Remote-Group',
    set: (names, config) => requestHeaders(config, { groupHeaders: present('requestheader-group-headers', names) }),
  }),
  flag('requestheader-uid-headers', {
    type: strings,
    help: 'headers that tell the uid of a user, such as X-Remote-Uid',
    set: (names, config) => requestHeaders(config, { uidHeaders: uidHeaders(names) }),
  }),
  flag('requestheader-username-headers', {
    type: strings,
    help: 'headers that name a user, such as X-Remote-User; the first that says something counts',
    set: (names, config) =>
      requestHeaders(config, { usernameHeaders: present('requestheader-username-headers', names) }),
  }),
];

function fileOf(path: string): string | undefined {
  return path === '' ? undefined : resolve(path);
}

function tokenWebhook(
  { authentication }: ServerConfig,
  changes: Partial<AuthenticationConfig['tokenWebhook']>,
): Partial<ServerConfig> {
  return { authentication: { ...authentication, tokenWebhook: { ...authentication.tokenWebhook, ...changes } } };
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
