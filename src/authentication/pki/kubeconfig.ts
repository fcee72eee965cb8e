import type { CertificateAndKey } from './certificate-store.ts';
import { type FileContent, readIfPresent, writeWhole } from './whole-file.ts';

export interface KubeconfigOptions {
  /** `https://127.0.0.1:6443` */
  readonly serverUrl: string;
  /** What the client trusts, PEM. */
  readonly authority: string;
  /** The name in the server's certificate, if it differs from the URL's host. */
  readonly tlsServerName?: string | undefined;
  readonly user: CertificateAndKey;
  /** What the file calls the user; `admin` by default. */
  readonly userName?: string;
}

export interface KubeconfigFile extends KubeconfigOptions, Pick<FileContent, 'syncs'> {
  readonly path: string;
}

/** Writes a self-contained kubeconfig, readable by its owner only, unless it is there already; returns its text. */
export async function writeKubeconfig({ path, syncs, ...options }: KubeconfigFile): Promise<string> {
  const text = kubeconfigText(options);
  if ((await readIfPresent(path)) !== text)
    await writeWhole({ path, text, mode: 0o600, ...(syncs === undefined ? {} : { syncs }) });
  return text;
}

/** The content of a self-contained kubeconfig. */
export function kubeconfigText(options: KubeconfigOptions): string {
  return `${JSON.stringify(kubeconfigOf(options), undefined, 2)}\n`;
}

/** How to reach a server as its administrator; certificates and key in PEM. */
export interface ServerAccess {
  readonly serverUrl: string;
  readonly authority: string;
  readonly tlsServerName: string | undefined;
  readonly user: CertificateAndKey;
}

/** Reads what `writeKubeconfig` wrote; undefined when the file is missing or has another form. */
export async function readKubeconfig(path: string): Promise<ServerAccess | undefined> {
  const text = await readIfPresent(path);
  if (text === undefined) return undefined;
  try {
    // Other forms show by missing fields.
    const config = JSON.parse(text) as ReturnType<typeof kubeconfigOf>;
    const [{ cluster }, { user }] = [config.clusters[0], config.users[0]];
    return {
      serverUrl: new URL(cluster.server).href,
      tlsServerName: cluster['tls-server-name'],
      authority: unbase64(cluster['certificate-authority-data']),
      user: { certificate: unbase64(user['client-certificate-data']), key: unbase64(user['client-key-data']) },
    };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** JSON is valid YAML. */
function kubeconfigOf({ serverUrl, authority, tlsServerName, user, userName = 'admin' }: KubeconfigOptions) {
  const name = 'binnacle';
  const cluster: { [field in 'server' | 'certificate-authority-data']: string } & { 'tls-server-name'?: string } = {
    server: serverUrl,
    ...(tlsServerName === undefined ? {} : { 'tls-server-name': tlsServerName }),
    'certificate-authority-data': base64(authority),
  };
  const credentials = {
    'client-certificate-data': base64(user.certificate),
    'client-key-data': base64(user.key),
  };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster }] as const,
    users: [{ name: userName, user: credentials }] as const,
    contexts: [{ name, context: { cluster: name, user: userName } }],
    'current-context': name,
  };
}

function unbase64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
