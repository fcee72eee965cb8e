import type { CertificateAndKey } from './certificate-store.ts';
import { readIfPresent, writeWhole } from './whole-file.ts';

export interface KubeconfigOptions {
  readonly path: string;
  /** `https://127.0.0.1:6443` */
  readonly serverUrl: string;
  /** What the client trusts, PEM. */
  readonly authority: string;
  /** The name in the server's certificate where it is not that of the URL. */
  readonly tlsServerName?: string;
  readonly user: CertificateAndKey;
}

/** Writes a kubeconfig that needs no other file, readable by its owner only, unless it is there already. */
export async function writeKubeconfig(options: KubeconfigOptions): Promise<void> {
  const text = `${JSON.stringify(kubeconfigOf(options), undefined, 2)}\n`;
  if ((await readIfPresent(options.path)) === text) return;
  await writeWhole({ path: options.path, text, mode: 0o600 });
}

/** JSON is YAML. */
function kubeconfigOf({ serverUrl, authority, tlsServerName, user }: KubeconfigOptions): object {
  const name = 'binnacle';
  const cluster = {
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
    clusters: [{ name, cluster }],
    users: [{ name: 'admin', user: credentials }],
    contexts: [{ name, context: { cluster: name, user: 'admin' } }],
    'current-context': name,
  };
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
