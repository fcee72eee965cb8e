import { dirname, resolve } from 'node:path';
import { ConfigError } from '../../api/errors/config-error.ts';
import { joinedErrors } from '../../api/text/error-texts.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';
import { stringValue } from '../../api/json/json-parts.ts';
import { plainOf } from '../../api/json/json-tree.ts';
import { YamlError } from '../../codec/yaml/error.ts';
import { parseYaml } from '../../codec/yaml/read.ts';

/** Thrown for unusable kubeconfig files. Messages match the reference. */
export class KubeconfigError extends ConfigError {
  override readonly name = 'KubeconfigError';
  override readonly code = 'KUBECONFIG';
}

/** PEM data, or the absolute path of a PEM file. */
export type Pem = { readonly text: string } | { readonly path: string };

/** The credentials of a user. */
export interface KubeconfigUser {
  readonly certificate: Pem | undefined;
  readonly key: Pem | undefined;
  readonly token: string | undefined;
  /** Absolute path of a token file; takes precedence over other credentials. */
  readonly tokenFile: string | undefined;
  readonly basic: { readonly username: string; readonly password: string } | undefined;
}

/** The server and credentials of a kubeconfig's current context. */
export interface KubeconfigTarget extends KubeconfigUser {
  readonly url: URL;
  readonly authority: Pem | undefined;
  readonly tlsServerName: string | undefined;
  readonly skipVerification: boolean;
}

/** The users of a kubeconfig, by server name. */
export interface KubeconfigUsers {
  readonly byName: ReadonlyMap<string, KubeconfigUser>;
  /** That of the current context. */
  readonly current: KubeconfigUser | undefined;
}

/** Parses a kubeconfig whose clusters do not matter. Throws a KubeconfigError. */
export function readKubeconfigUsers(text: string, path: string): KubeconfigUsers {
  const config = parse(text, path);
  const byName = new Map(
    [...named(config['users'], 'user')].map(([name, user]) => {
      refuseUnknown(path, { cluster: {}, user });
      return [name, userOf(user, dirname(path))];
    }),
  );
  const context = named(config['contexts'], 'context').get(stringValue(config['current-context']));
  return { byName, current: byName.get(stringValue(context?.['user'])) };
}

/** Unsupported fields that would change the target or the credentials: refused. */
const unknownFields = { cluster: ['proxy-url'], user: ['exec', 'auth-provider', 'as', 'as-uid', 'as-groups'] } as const;

/** Parses a kubeconfig. Relative paths are relative to its directory. Throws a KubeconfigError. */
export function readKubeconfig(text: string, path: string): KubeconfigTarget {
  const config = parse(text, path);
  const contextName = stringValue(config['current-context']);
  const contexts = named(config['contexts'], 'context');
  const context = contexts.get(contextName) ?? {};
  if (contextName !== '' && !contexts.has(contextName))
    throw new KubeconfigError(`context ${goQuote(contextName)} does not exist`);
  const userName = stringValue(context['user']);
  const users = named(config['users'], 'user');
  if (userName !== '' && !users.has(userName))
    throw new KubeconfigError(`auth info ${goQuote(userName)} does not exist`);
  const clusterName = stringValue(context['cluster']);
  const clusters = named(config['clusters'], 'cluster');
  if (clusterName !== '' && !clusters.has(clusterName))
    throw new KubeconfigError(`cluster ${goQuote(clusterName)} does not exist`);
  const cluster = clusters.get(clusterName) ?? {};
  const user = users.get(userName) ?? {};
  check([...userErrors(userName, user), ...clusterErrors(clusterName, cluster)]);
  refuseUnknown(path, { cluster, user });
  return targetOf({ cluster, user, folder: dirname(path) });
}

const emptyCluster = 'cluster has no server defined';

function check(errors: readonly string[]): void {
  if (errors.length === 0) return;
  const detail =
    errors.length === 1 && errors[0] === emptyCluster
      ? 'no configuration has been provided, try setting KUBERNETES_MASTER environment variable'
      : joinedErrors(errors);
  throw new KubeconfigError(`invalid configuration: ${detail}`);
}

function clusterErrors(name: string, cluster: JsonObject): string[] {
  if (Object.keys(cluster).length === 0) return [emptyCluster];
  const errors: string[] = [];
  if (stringValue(cluster['server']) === '') {
    errors.push(name === '' ? 'default cluster has no server defined' : `no server found for cluster ${goQuote(name)}`);
  }
  if (
    stringValue(cluster['certificate-authority']) !== '' &&
    stringValue(cluster['certificate-authority-data']) !== ''
  ) {
    errors.push(
      `certificate-authority-data and certificate-authority are both specified for ${name}. certificate-authority-data will override.`,
    );
  }
  return errors;
}

function userErrors(name: string, user: JsonObject): string[] {
  const has = (field: string): boolean => stringValue(user[field]) !== '';
  const errors: string[] = [];
  if (has('client-certificate') || has('client-certificate-data')) {
    if (has('client-certificate') && has('client-certificate-data')) {
      errors.push(`client-cert-data and client-cert are both specified for ${name}. client-cert-data will override.`);
    }
    if (has('client-key') && has('client-key-data')) {
      errors.push(`client-key-data and client-key are both specified for ${name}; client-key-data will override`);
    }
    if (!has('client-key') && !has('client-key-data')) {
      errors.push(
        `client-key-data or client-key must be specified for ${name} to use the clientCert authentication method.`,
      );
    }
  }
  if (has('token') && (has('username') || has('password'))) {
    errors.push(`more than one authentication method found for ${name}; found [token basicAuth], only one is allowed`);
  }
  return errors;
}

function refuseUnknown(path: string, parts: { readonly cluster: JsonObject; readonly user: JsonObject }): void {
  for (const part of ['cluster', 'user'] as const) {
    const found = unknownFields[part].find((field) => (parts[part][field] ?? '') !== '');
    if (found !== undefined) throw new KubeconfigError(`${path}: ${found} is not supported`);
  }
}

interface Parts {
  readonly cluster: JsonObject;
  readonly user: JsonObject;
  readonly folder: string;
}

function targetOf({ cluster, user, folder }: Parts): KubeconfigTarget {
  const authority = pem(cluster, 'certificate-authority', folder);
  const credentials = userOf(user, folder);
  const skipVerification = cluster['insecure-skip-tls-verify'] === true;
  if (skipVerification && authority !== undefined) {
    throw new KubeconfigError('specifying a root certificates file with the insecure flag is not allowed');
  }
  return {
    url: serverUrl(
      stringValue(cluster['server']),
      [authority, credentials.certificate].some((each) => each !== undefined) || skipVerification,
    ),
    authority,
    tlsServerName: stringValue(cluster['tls-server-name']) || undefined,
    skipVerification,
    ...credentials,
  };
}

function userOf(user: JsonObject, folder: string): KubeconfigUser {
  const username = stringValue(user['username']);
  const tokenFile = stringValue(user['tokenFile']);
  return {
    certificate: pem(user, 'client-certificate', folder),
    key: pem(user, 'client-key', folder),
    token: stringValue(user['token']) || undefined,
    tokenFile: tokenFile === '' ? undefined : resolve(folder, tokenFile),
    basic: username === '' ? undefined : { username, password: stringValue(user['password']) },
  };
}

function pem(part: JsonObject, field: string, folder: string): Pem | undefined {
  const data = stringValue(part[`${field}-data`]);
  if (data !== '') return { text: Buffer.from(data, 'base64').toString() };
  const path = stringValue(part[field]);
  return path === '' ? undefined : { path: resolve(folder, path) };
}

/** A server may omit the scheme; it defaults to https if there is any TLS configuration. */
function serverUrl(server: string, isSecure: boolean): URL {
  const url = URL.parse(server);
  if (url !== null && url.host !== '') return url;
  const guessed = URL.parse(`${isSecure ? 'https' : 'http'}://${server}`);
  if (guessed === null || guessed.pathname !== '/') {
    throw new KubeconfigError(`host must be a URL or a host:port pair: ${goQuote(server)}`);
  }
  return guessed;
}

function parse(text: string, path: string): JsonObject {
  try {
    const value = plainOf(parseYaml(Buffer.from(text)).tree);
    if (isJsonObject(value)) return value;
    if (value === null) return {};
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new KubeconfigError(`error loading config file ${goQuote(path)}: ${error.message}`, { cause: error });
  }
  throw new KubeconfigError(`error loading config file ${goQuote(path)}: not an object`);
}

/** Items of a list by name. */
function named(list: JsonValue | undefined, field: string): ReadonlyMap<string, JsonObject> {
  const items = Array.isArray(list) ? list.filter(isJsonObject) : [];
  return new Map(
    items.map((item) => {
      const value = item[field];
      return [stringValue(item['name']), value !== undefined && isJsonObject(value) ? value : {}];
    }),
  );
}
