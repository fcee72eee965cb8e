import type { JsonObject } from '../api/json.ts';
import type { PartContext } from '../api/part.ts';
import { readAuthorities } from '../authentication/client-authorities.ts';
import type { RequestHeaderConfig } from '../authentication/authentication-config.ts';
import type { ConfigMap } from '../schema/kubernetes/generated/types/core-v1.ts';
import { changeObject } from './bootstrap-objects.ts';
import type { ServerConfig } from './config.ts';
import type { ResourceScopes } from './resource-scopes.ts';
import type { Serving } from './serving.ts';
import { systemOperation } from './system-operation.ts';

// Servers that extend this one read in a ConfigMap whom they may trust: authorities of clients, and proxies that name users.

const namespace = 'kube-system';
const name = 'extension-apiserver-authentication';

interface ClusterAuthenticationContext extends PartContext {
  readonly config: ServerConfig;
  readonly scopes: ResourceScopes;
  readonly serving: Pick<Serving, 'authority'>;
}

type Data = { readonly [key: string]: string };

/** Writes the ConfigMap, and again when the files that it is made of change. What others have added to it stays. */
export async function tellClusterAuthentication(context: ClusterAuthenticationContext): Promise<void> {
  const { config, serving } = context;
  const { clientCaFile, requestHeader } = config.authentication;
  const pem = { client: serving.authority, clientFile: '', proxy: '' };
  const write = async (): Promise<void> => {
    const client = unexpired(context, pem.client + pem.clientFile);
    const proxy = unexpired(context, pem.proxy);
    await merge(context, { 'client-ca-file': client, ...(proxy === '' ? {} : proxyData(requestHeader, proxy)) });
  };
  const follow = async (part: 'clientFile' | 'proxy', path: string | undefined): Promise<void> => {
    if (path === undefined) return;
    pem[part] = await context.readFile(path, async (text) => {
      readAuthorities(path, text);
      pem[part] = text;
      await write();
    });
  };
  await Promise.all([follow('clientFile', clientCaFile), follow('proxy', requestHeader.clientCaFile)]);
  await write().catch(context.onError);
}

function proxyData(config: RequestHeaderConfig, authorities: string): Data {
  const { usernameHeaders, uidHeaders, groupHeaders, extraHeaderPrefixes, allowedNames } = config;
  return {
    'requestheader-username-headers': JSON.stringify(usernameHeaders),
    ...(uidHeaders.length === 0 ? {} : { 'requestheader-uid-headers': JSON.stringify(uidHeaders) }),
    'requestheader-group-headers': JSON.stringify(groupHeaders),
    'requestheader-extra-headers-prefix': JSON.stringify(extraHeaderPrefixes),
    'requestheader-client-ca-file': authorities,
    'requestheader-allowed-names': JSON.stringify(allowedNames),
  };
}

async function merge(context: ClusterAuthenticationContext, data: Data): Promise<void> {
  const { scopes, clock } = context;
  const scope = scopes.now.scopeOf('', 'v1', 'configmaps');
  if (scope === undefined) return;
  const operation = systemOperation(scope, { kinds: scopes.now, clock, namespace });
  await changeObject(operation, name, (old) => {
    const made = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } };
    const map = (old ?? made) as JsonObject & ConfigMap; // of its kind
    const known = map.data ?? {};
    const merged = Object.entries(data).map(([key, text]) => [
      key,
      both(context, key, { known: known[key] ?? '', text }),
    ]);
    return { ...map, data: { ...known, ...Object.fromEntries(merged) } } as JsonObject;
  });
}

/** Authorities and lists are joined, each member once. */
function both(
  context: PartContext,
  key: string,
  { known, text }: { readonly known: string; readonly text: string },
): string {
  if (key.endsWith('-ca-file')) return unexpired(context, known + text);
  return JSON.stringify([...new Set([...listIn(known), ...listIn(text)])]);
}

/** Texts that somebody else has written may be no lists. */
function listIn(text: string): readonly string[] {
  if (text === '') return [];
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map(String) : [];
  } catch {
    return [];
  }
}

/** The certificates of a PEM text that are still good, each once. */
function unexpired({ clock }: PartContext, pem: string): string {
  if (!pem.includes('BEGIN CERTIFICATE')) return '';
  const good = readAuthorities(name, pem).filter(({ validToDate }) => validToDate.getTime() > clock.now());
  return [...new Set(good.map((certificate) => certificate.toString()))].join('');
}
