import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../test/free-port.ts';
import { ServerProcess } from './server-process.ts';
import type { Access, ClusterFiles, Target } from './target.ts';

export const ownCheckout = join(import.meta.dirname, '..');

/** Binnacle in its release form. `nodeArguments` are for profiles: `--cpu-prof`. */
export function binnacle(
  nodeArguments: readonly string[],
  flags: readonly string[] = [],
  checkout: string = ownCheckout,
): Target {
  const launcher = join(checkout, 'dist', 'binnacle.js');
  return {
    name: 'Binnacle',
    async start(dataDir, cluster) {
      mkdirSync(dataDir, { recursive: true });
      const port = await freePort();
      const url = `https://127.0.0.1:${port}`;
      const address = ['--bind-address', '127.0.0.1', '--secure-port', String(port)];
      const serve = ['serve', '--data-dir', dataDir, ...address];
      const surroundings = cluster === undefined ? alone(checkout) : inCluster(cluster);
      const startMs = performance.now();
      const server = new ServerProcess({
        file: process.execPath,
        args: [...nodeArguments, launcher, ...serve, ...surroundings, ...flags],
        logFile: join(dataDir, 'server.log'),
      });
      await server.ready(url);
      return {
        startMs: performance.now() - startMs,
        pids: [server.pid],
        access: readAccess(url, join(dataDir, 'admin.kubeconfig')),
        stop: () => server.stop(),
      };
    },
  };
}

function alone(checkout: string): readonly string[] {
  // Figures of one server are those of one thread, unless a row says otherwise.
  const oneThread = existsSync(join(checkout, 'dist', 'api-thread.js')) ? ['--api-threads=1'] : [];
  return ['--disable-admission-plugins=ServiceAccount', ...oneThread];
}

function inCluster({ userAuthority, signingKey }: ClusterFiles): readonly string[] {
  return [
    '--authorization-mode=Node,RBAC',
    `--client-ca-file=${userAuthority}`,
    `--service-account-signing-key-file=${signingKey}`,
  ];
}

/** That of the administrator. */
export function readAccess(url: string, kubeconfigPath: string): Access {
  const text = readFileSync(kubeconfigPath, 'utf8');
  const field = (name: string): string => {
    const found = new RegExp(`"${name}-data": "([^"]+)"`).exec(text)?.[1];
    if (found === undefined) throw new Error(`no ${name}-data in ${kubeconfigPath}`);
    return Buffer.from(found, 'base64').toString();
  };
  return { url, ca: field('certificate-authority'), cert: field('client-certificate'), key: field('client-key') };
}
