import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runReporter, type WatchingClient } from './watching-client.ts';

const source = join(import.meta.dirname, 'go');

/** Environment for client-go: it sends CBOR without further configuration only where its default would be JSON. */
export const preferCbor = { KUBE_FEATURE_ClientsAllowCBOR: 'true', KUBE_FEATURE_ClientsPreferCBOR: 'true' };

/** A shared informer of client-go: a reflector with a store. */
export async function clientGo(name: string, mediaType: string): Promise<WatchingClient & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-client-go-'));
  const program = join(folder, 'clients');
  return {
    name,
    missing: missingGo,
    async prepare() {
      await promisify(execFile)('go', ['build', '-o', program, '.'], { cwd: source });
    },
    watch({ kubeconfigPath, last }, signal) {
      const args = ['--kubeconfig', kubeconfigPath, '--last', last, '--content-type', mediaType];
      return runReporter(program, args, { signal, env: { ...process.env, ...preferCbor } });
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Why client-go cannot be built here; undefined if it can. */
export function missingGo(): string | undefined {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'there is no go on the PATH';
  }
}
