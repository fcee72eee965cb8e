import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type AuthenticationConfig, authenticationDefaults } from '../../authentication/authentication-config.ts';
import { type ClusterInfo, headerListsOf } from '../../authentication/cluster-info.ts';
import { ConfigError } from '../../api/errors/config-error.ts';
import type { Lister } from '../../api/client/client.ts';
import { isJsonObject, type JsonObject } from '../../api/json/json.ts';
import { Mirror } from '../../api/client/mirror.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import { writeWhole } from '../../authentication/pki/whole-file.ts';
import { authorizationDefaults } from '../../authorization/authorization-config.ts';
import { parseJson } from '../../codec/json.ts';
import { CallError } from '../../outgoing/call-error.ts';
import { type KubeconfigServer, openKubeconfigServer } from '../../outgoing/kubeconfig/kubeconfig-server.ts';
import { refusalOf } from '../../outgoing/refused-call.ts';
import { objectOf, watchEvents, watchQuery } from '../../outgoing/watch-events.ts';
import type { ServerConfig } from '../config.ts';
import { pkiFolder } from '../listening/serving.ts';

const informationPath = '/api/v1/namespaces/kube-system/configmaps';
const informationName = 'extension-apiserver-authentication';
const tokenReviews = '/apis/authentication.k8s.io/v1/tokenreviews';
const accessReviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const timeoutMs = 10_000;
const maxResponseBytes = 4 * 1024 * 1024;
/** Decisions of another server may change soon. */
const decisionTtlMs = 10_000;

/** Files of the front server's information, below the folder of certificates: their readers notice changes. */
const files = {
  clientCa: { name: 'client-ca-file.crt', key: 'client-ca-file' },
  proxyCa: { name: 'requestheader-client-ca-file.crt', key: 'requestheader-client-ca-file' },
} as const;
const listsName = 'requestheader-lists.json';

/**
 * The configuration of a server behind another one, which knows the users and decides what they may do. Throws a
 * ConfigError.
 */
export async function delegatedConfig(config: ServerConfig, context: PartContext): Promise<ServerConfig> {
  const { authenticationKubeconfig, authorizationKubeconfig, alwaysAllowPaths } = config.delegation;
  return {
    ...config,
    ...(authenticationKubeconfig === undefined
      ? {}
      : { authentication: await delegatedAuthentication(config, authenticationKubeconfig, context) }),
    ...(authorizationKubeconfig === undefined
      ? {}
      : { authorization: delegatedAuthorization(config, authorizationKubeconfig, alwaysAllowPaths) }),
  };
}

function delegatedAuthorization(
  { authorization }: ServerConfig,
  configFile: string,
  alwaysAllowPaths: readonly string[],
): ServerConfig['authorization'] {
  const { webhook } = authorization;
  const ttlOf = (key: 'authorizedTtlMs' | 'unauthorizedTtlMs'): number =>
    webhook[key] === authorizationDefaults.webhook[key] ? decisionTtlMs : webhook[key];
  const ttls = { authorizedTtlMs: ttlOf('authorizedTtlMs'), unauthorizedTtlMs: ttlOf('unauthorizedTtlMs') };
  const requested = { configFile, apiPath: accessReviews, version: 'v1', ...ttls };
  return { ...authorization, modes: ['Webhook'], webhook: requested, alwaysAllowPaths };
}

async function delegatedAuthentication(
  config: ServerConfig,
  configFile: string,
  context: PartContext,
): Promise<AuthenticationConfig> {
  const { authentication, delegation } = config;
  const given = authentication.tokenWebhook.cacheMs;
  const cacheMs = given === authenticationDefaults.tokenWebhook.cacheMs ? decisionTtlMs : given;
  // Tokens of the host are for its own audiences, which only it knows.
  const { audiences } = authentication.serviceAccounts;
  const tokenWebhook = { configFile, apiPath: tokenReviews, version: 'v1', cacheMs, audiences };
  const withTokens: AuthenticationConfig = { ...authentication, tokenWebhook };
  if (delegation.skipsLookup) return withTokens;
  const server = await openKubeconfigServer(configFile, context);
  let information: ClusterInfo;
  try {
    information = await lookUp(server);
  } catch (error) {
    if (!delegation.toleratesLookupFailure) {
      throw new ConfigError(
        `--authentication-kubeconfig: the host cannot be asked how to know users: ${String(error)}`,
      );
    }
    context.onError(error);
    return withTokens;
  }
  const folder = join(pkiFolder(config), 'host');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await write(folder, information);
  follow(server, folder, context);
  return withInformation(withTokens, information, folder);
}

/** Local configuration takes precedence over that of the host. */
function withInformation(own: AuthenticationConfig, information: ClusterInfo, folder: string): AuthenticationConfig {
  const fileOf = ({ key, name }: { readonly key: string; readonly name: string }): string | undefined =>
    information[key] === undefined ? undefined : join(folder, name);
  const isOwn = own.requestHeader.clientCaFile !== undefined;
  const clientCaFile = fileOf(files.proxyCa);
  const listsFile = join(folder, listsName);
  return {
    ...own,
    clientCaFile: own.clientCaFile ?? fileOf(files.clientCa),
    requestHeader:
      isOwn || clientCaFile === undefined
        ? own.requestHeader
        : { clientCaFile, listsFile, ...headerListsOf(information) },
  };
}

async function lookUp(server: KubeconfigServer): Promise<ClusterInfo> {
  const url = new URL(`${informationPath}/${informationName}`, server.url);
  const information = informationIn(await objectAt(server, url));
  headerListsOf(information);
  if (Object.keys(information).length === 0) {
    throw new CallError('there is nothing in the ConfigMap extension-apiserver-authentication');
  }
  return information;
}

async function objectAt(server: KubeconfigServer, url: URL): Promise<JsonObject> {
  const response = await server.call({ method: 'GET', url, timeoutMs, maxResponseBytes });
  const refusal = refusalOf(response);
  if (refusal !== undefined) throw refusal;
  const { value } = parseJson(response.body);
  return isJsonObject(value) ? value : {};
}

/** The texts of a ConfigMap. */
function informationIn({ data }: Readonly<JsonObject>): ClusterInfo {
  const texts = isJsonObject(data ?? null) ? Object.entries(data as JsonObject) : [];
  return Object.fromEntries(texts.flatMap(([key, text]) => (typeof text === 'string' ? [[key, text]] : [])));
}

/** Keeps what the host no longer publishes. */
async function write(folder: string, information: ClusterInfo): Promise<void> {
  const texts = [
    ...Object.values(files).map(({ name, key }) => ({ name, text: information[key] })),
    { name: listsName, text: JSON.stringify(headerListsOf(information)) },
  ];
  for (const { name, text } of texts) {
    if (text === undefined) continue;
    await writeWhole({ path: join(folder, name), text, mode: 0o600 });
  }
}

/** Watches the information; those who read the files are told of changes. */
function follow(server: KubeconfigServer, folder: string, { onStop, onError }: PartContext): void {
  const stop = new AbortController();
  const { signal } = stop;
  let writing = Promise.resolve();
  let known = '';
  const mirror = new Mirror({
    collection: {
      group: '',
      version: 'v1',
      resource: 'configmaps',
      namespace: 'kube-system',
    },
    signal,
    onError,
    client: informationLister(server),
    set: (object) => {
      const information = informationIn(object);
      const text = JSON.stringify(information);
      if (text === known) return;
      known = text;
      writing = writing.then(() => write(folder, information)).catch(onError);
    },
    remove: () => undefined,
  });
  void mirror.startRetrying();
  onStop(async () => {
    stop.abort();
    await writing;
  });
}

/** Lists and watches the one ConfigMap, to which the permissions of extension API servers are limited. */
function informationLister(server: KubeconfigServer): Lister<KubernetesObject> {
  const urlOf = (query: { readonly [name: string]: string }): URL => {
    const url = new URL(informationPath, server.url);
    const selected = { fieldSelector: `metadata.name=${informationName}`, ...query };
    url.search = new URLSearchParams(selected).toString();
    return url;
  };
  return {
    async list() {
      const list = await objectAt(server, urlOf({}));
      const { items = [] } = list;
      const { resourceVersion = '' } = objectOf(list).metadata;
      return { items: (Array.isArray(items) ? items : []).map(objectOf), resourceVersion };
    },
    async *watch(_collection, { resourceVersion, signal }) {
      const url = urlOf(watchQuery(resourceVersion));
      const exchange = await server.open({ method: 'GET', url, timeoutMs, signal });
      for await (const { type, object } of watchEvents(exchange, { signal, maxBytes: maxResponseBytes })) {
        if (type !== 'BOOKMARK') yield { type, object };
      }
    },
  };
}
