import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/api/time/clock.ts';
import { type CertificateAndKey, openAuthority, openLeaf } from '../../src/authentication/pki/certificate-store.ts';
import { writeKubeconfig } from '../../src/authentication/pki/kubeconfig.ts';

/** The certificates and keys of a cluster, as files of one folder. */
export interface Credentials {
  /** Certificate of the authority of servers and users; its key is `ca.key`. */
  readonly authority: string;
  readonly file: (name: string) => string;
  /** A kubeconfig for a user of the cluster. */
  kubeconfig(name: string, user: string, group?: string): Promise<string>;
  /** For a server at an address. */
  server(name: string, address: string): Promise<CertificateAndKey>;
}

export interface ClusterNames {
  readonly serverUrl: string;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

/**
 * | file | of |
 * |---|---|
 * | `ca`, `front-proxy-ca` | the authorities |
 * | `apiserver` | the server |
 * | `apiserver-kubelet-client`, `front-proxy-client` | the server, for kubelets and for other API servers |
 * | `sa.key` | service account tokens |
 */
export async function makeCredentials(folder: string, names: ClusterNames): Promise<Credentials> {
  const clock = systemClock;
  const file = (name: string): string => join(folder, name);
  const authority = await openAuthority({ folder, name: 'ca', clock });
  const proxies = await openAuthority({ folder, name: 'front-proxy-ca', clock });
  const client = (name: string, commonName: string, organization?: string, issuer = authority) => {
    const subject = { commonName, organizations: organization === undefined ? [] : [organization] };
    return openLeaf({ folder, name, template: { subject, usage: 'client' }, authority: issuer, clock });
  };
  const server = (name: string, { dnsNames, ipAddresses }: Omit<ClusterNames, 'serverUrl'>) => {
    const template = { subject: { commonName: name }, usage: 'server', names: { dnsNames, ipAddresses } } as const;
    return openLeaf({ folder, name, template, authority, clock });
  };
  await server('apiserver', names);
  await client('apiserver-kubelet-client', 'kube-apiserver-kubelet-client', 'system:masters');
  await client('front-proxy-client', 'front-proxy-client', undefined, proxies);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(file('sa.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return {
    authority: authority.pem.certificate,
    file,
    async kubeconfig(name, user, group) {
      const path = file(`${name}.kubeconfig`);
      const { serverUrl } = names;
      const credentials = await client(name, user, group);
      await writeKubeconfig({ path, serverUrl, authority: authority.pem.certificate, user: credentials });
      return path;
    },
    server: (name, address) => server(name, { dnsNames: [], ipAddresses: [address] }),
  };
}
