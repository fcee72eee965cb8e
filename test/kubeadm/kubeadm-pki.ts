import { generateKeyPairSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CertificateTemplate,
  generateKeyPair,
  issueCertificate,
  type Issuer,
} from '../../src/codec/x509/issue-certificate.ts';

const dayMs = 86_400_000;

/** The files that kubeadm puts into `/etc/kubernetes/pki`, and a client certificate of an administrator. */
export async function writeKubeadmPki(folder: string): Promise<void> {
  await mkdir(join(folder, 'etcd'), { recursive: true });
  const cluster = await writeAuthority(folder, 'ca', 'kubernetes');
  const etcd = await writeAuthority(folder, 'etcd/ca', 'etcd-ca');
  const frontProxy = await writeAuthority(folder, 'front-proxy-ca', 'front-proxy-ca');
  const names = {
    dnsNames: ['kubernetes', 'kubernetes.default.svc', 'localhost'],
    ipAddresses: ['10.96.0.1', '127.0.0.1'],
  };
  const masters = { organizations: ['system:masters'] };
  await Promise.all([
    writePair(folder, 'apiserver', cluster, { subject: { commonName: 'kube-apiserver' }, usage: 'server', names }),
    writePair(folder, 'apiserver-kubelet-client', cluster, {
      subject: { commonName: 'kube-apiserver-kubelet-client', organizations: ['kubeadm:cluster-admins'] },
      usage: 'client',
    }),
    writePair(folder, 'front-proxy-client', frontProxy, {
      subject: { commonName: 'front-proxy-client' },
      usage: 'client',
    }),
    writePair(folder, 'etcd/server', etcd, { subject: { commonName: 'etcd' }, usage: 'server', names }),
    writePair(folder, 'apiserver-etcd-client', etcd, {
      subject: { commonName: 'kube-apiserver-etcd-client' },
      usage: 'client',
    }),
    writePair(folder, 'admin', cluster, {
      subject: { commonName: 'kubernetes-super-admin', ...masters },
      usage: 'client',
    }),
    writeAccountKeys(folder),
  ]);
}

async function writeAuthority(folder: string, name: string, commonName: string): Promise<Issuer> {
  const keys = generateKeyPair();
  const issuer = { name: { commonName }, ...keys };
  const template = { subject: issuer.name, usage: 'authority' as const, ...validity() };
  await writeFile(join(folder, `${name}.crt`), issueCertificate(template, keys.publicKey, issuer));
  return issuer;
}

async function writePair(
  folder: string,
  name: string,
  issuer: Issuer,
  template: Omit<CertificateTemplate, 'notBeforeMs' | 'notAfterMs'>,
): Promise<void> {
  const keys = generateKeyPair();
  const certificate = issueCertificate({ ...template, ...validity() }, keys.publicKey, issuer);
  await writeFile(join(folder, `${name}.crt`), certificate);
  await writeFile(join(folder, `${name}.key`), keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
}

async function writeAccountKeys(folder: string): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(join(folder, 'sa.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  await writeFile(join(folder, 'sa.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
}

function validity(): Pick<CertificateTemplate, 'notBeforeMs' | 'notAfterMs'> {
  const now = Date.now();
  return { notBeforeMs: now - dayMs, notAfterMs: now + dayMs };
}
