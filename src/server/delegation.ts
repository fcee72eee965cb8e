import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AuthenticationConfig,
  authenticationDefaults,
  type RequestHeaderConfig,
} from '../authentication/authentication-config.ts';
import { ConfigError } from '../api/config-error.ts';
import { isJsonObject, type JsonObject } from '../api/json.ts';
import type { PartContext } from '../api/part.ts';
import { pause } from '../api/pause.ts';
import { authorizationDefaults } from '../authorization/authorization-config.ts';
import { parseJson } from '../codec/json.ts';
import { CallError } from '../outgoing/call-error.ts';
import { type KubeconfigServer, openKubeconfigServer } from '../outgoing/kubeconfig-server.ts';
import { refusalOf } from '../outgoing/refused-call.ts';
import type { ServerConfig } from './config.ts';
import { pkiFolder } from './serving.ts';

const informationPath = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
const tokenReviews = '/apis/authentication.k8s.io/v1/tokenreviews';
const accessReviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const timeoutMs = 10_000;
const maxAnswerBytes = 4 * 1024 * 1024;
/** Authorities are renewed long before they expire. */
const refreshMs = 60_000;
/** Decisions of another server may change soon. */
const decisionTtlMs = 10_000;

/** The front server's information on authentication: texts by key. */
type Information = ReadonlyMap<string, string>;

/** Files of it, below the folder of certificates, so that those who read such files notice changes. */
const files = { clientCa: 'client-ca-file', proxyCa: 'requestheader-client-ca-file' } as const;

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
  const asked = { configFile, apiPath: accessReviews, version: 'v1', ...ttls };
  return { ...authorization, modes: ['Webhook'], webhook: asked, alwaysAllowPaths };
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
  let information: Information;
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
  follow(server, { folder, information, context });
  return withInformation(withTokens, information, folder);
}

/** Local configuration takes precedence over that of the host. */
function withInformation(own: AuthenticationConfig, information: Information, folder: string): AuthenticationConfig {
  const fileOf = (key: string): string | undefined => (information.has(key) ? join(folder, `${key}.crt`) : undefined);
  const isOwn = own.requestHeader.clientCaFile !== undefined;
  const proxyCa = fileOf(files.proxyCa);
  return {
    ...own,
    clientCaFile: own.clientCaFile ?? fileOf(files.clientCa),
    requestHeader: isOwn || proxyCa === undefined ? own.requestHeader : requestHeaderOf(information, proxyCa),
  };
}

function requestHeaderOf(information: Information, clientCaFile: string): RequestHeaderConfig {
  const list = (key: string): readonly string[] => textsOf(information.get(key) ?? '[]');
  return {
    clientCaFile,
    allowedNames: list('requestheader-allowed-names'),
    usernameHeaders: list('requestheader-username-headers'),
    uidHeaders: list('requestheader-uid-headers'),
    groupHeaders: list('requestheader-group-headers'),
    extraHeaderPrefixes: list('requestheader-extra-headers-prefix'),
  };
}

function textsOf(json: string): readonly string[] {
  const { value } = parseJson(Buffer.from(json));
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) {
    throw new ConfigError(`the header names of the host are not a list of strings: ${json}`);
  }
  return value;
}

async function lookUp(server: KubeconfigServer): Promise<Information> {
  const url = new URL(informationPath, server.url);
  const answer = await server.call({ method: 'GET', url, timeoutMs, maxAnswerBytes });
  const refusal = refusalOf(answer);
  if (refusal !== undefined) throw refusal;
  const { value } = parseJson(answer.body);
  const data: JsonObject = isJsonObject(value) && isJsonObject(value['data']) ? value['data'] : {};
  const texts = Object.entries(data).flatMap(([key, text]) => (typeof text === 'string' ? [[key, text] as const] : []));
  if (texts.length === 0) throw new CallError('there is nothing in the ConfigMap extension-apiserver-authentication');
  return new Map(texts);
}

async function write(folder: string, information: Information): Promise<void> {
  const present = Object.values(files).filter((key) => information.has(key));
  await Promise.all(
    present.map((key) => writeFile(join(folder, `${key}.crt`), information.get(key) ?? '', { mode: 0o600 })),
  );
}

/** Authorities that change are written to their files; other changes take a restart. */
function follow(
  server: KubeconfigServer,
  { folder, information, context }: { folder: string; information: Information; context: PartContext },
): void {
  const stop = new AbortController();
  const run = async (): Promise<void> => {
    for (let known = information; ;) {
      await pause(refreshMs, stop.signal);
      if (stop.signal.aborted) return;
      try {
        const latest = await lookUp(server);
        const isSame = Object.values(files).every((key) => latest.get(key) === known.get(key));
        if (!isSame) await write(folder, latest);
        known = latest;
      } catch (error) {
        context.onError(error);
      }
    }
  };
  const running = run();
  context.onStop(async () => {
    stop.abort();
    await running;
  });
}
