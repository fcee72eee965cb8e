import { homedir } from 'node:os';
import { join } from 'node:path';

const folder = process.env['BINNACLE_REFERENCE'] ?? join(homedir(), '.cache', 'binnacle-reference');

/** The path of a program that `.ci/run` or `test/e2e/build` installs. */
export function programPath(name: string): string {
  return join(folder, name);
}

/** What specs need beside the server under test. */
export const neededPrograms: readonly string[] = [
  'e2e.test',
  'kubectl',
  'kube-controller-manager',
  'kube-scheduler',
  'agnhost',
  'etcd',
  'sample-apiserver',
].map(programPath);
