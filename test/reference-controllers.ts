import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './etcd-process.ts';
import type { ReferenceServer } from './reference-server.ts';

const program = join(
  process.env['BINNACLE_REFERENCE'] ?? join(homedir(), '.cache', 'binnacle-reference'),
  'kube-controller-manager',
);

/** Nobody builds it but those who record or compare. */
export const hasControllerManager = existsSync(program);

/** kube-controller-manager for a server, as its administrator, as fast as it can. It elects nobody unless flags say so. */
export async function startControllerManager(
  { kubeconfigPath }: Pick<ReferenceServer, 'kubeconfigPath'>,
  flags: readonly string[],
): Promise<AsyncDisposable & { readonly pid: number }> {
  const given = ['--leader-elect=false', '--kube-api-qps=5000', '--kube-api-burst=10000'];
  const address = ['--bind-address=127.0.0.1', `--secure-port=${await freePort()}`];
  const child = spawn(program, [`--kubeconfig=${kubeconfigPath}`, ...address, ...given, ...flags], { stdio: 'ignore' });
  await once(child, 'spawn');
  return {
    // It has been spawned.
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
