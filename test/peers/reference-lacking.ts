import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { referenceProgram } from '../reference-server.ts';

export interface LackingServer extends AsyncDisposable {
  readonly url: string;
}

/** kube-apiserver without an API version, as a peer of others. */
export async function startReferenceLacking(version: string, etcdUrl: string, pki: string): Promise<LackingServer> {
  const port = await freePort();
  const file = (name: string): string => join(pki, name);
  const log = await open(join(pki, 'kube-apiserver.log'), 'w');
  const flags = [
    '--feature-gates=UnknownVersionInteroperabilityProxy=true',
    `--runtime-config=${version}=false`,
    // It tells others the address of the machine, whatever --peer-advertise-ip says.
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=0.0.0.0',
    `--secure-port=${port}`,
    `--peer-ca-file=${file('ca.crt')}`,
    `--client-ca-file=${file('ca.crt')}`,
    `--tls-cert-file=${file('apiserver.crt')}`,
    `--tls-private-key-file=${file('apiserver.key')}`,
    `--service-account-key-file=${file('sa.pub')}`,
    `--service-account-signing-key-file=${file('sa.key')}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--service-account-issuer=https://kubernetes.default.svc',
    '--authorization-mode=Node,RBAC',
    `--proxy-client-cert-file=${file('front-proxy-client.crt')}`,
    '--disable-admission-plugins=ServiceAccount',
    `--proxy-client-key-file=${file('front-proxy-client.key')}`,
    `--requestheader-client-ca-file=${file('front-proxy-ca.crt')}`,
    '--requestheader-allowed-names=front-proxy-client',
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
  ];
  const child = spawn(referenceProgram, flags, { stdio: ['ignore', log.fd, log.fd] });
  await log.close();
  return {
    url: `https://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
