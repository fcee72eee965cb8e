// Locates the Go modules of a Kubernetes release.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The release that the tables are generated from. */
export const kubernetesRelease = '1.37.1';

const libraries = ['api', 'apimachinery', 'apiextensions-apiserver', 'kube-aggregator', 'client-go', 'metrics'];

/**
 * Folder of each module by path (`k8s.io/api`). Downloads modules missing from the module cache; needs `go` on PATH.
 */
export function moduleFolders(): ReadonlyMap<string, string> {
  const libraryVersion = `v${kubernetesRelease.replace(/^1\./, '0.')}`;
  const modules = [
    ...libraries.map((name) => ({ path: `k8s.io/${name}`, version: libraryVersion })),
    { path: 'k8s.io/kubernetes', version: `v${kubernetesRelease}` },
  ];
  const cache = execFileSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).trim();
  return new Map(modules.map(({ path, version }) => [path, folderOf(cache, path, version)]));
}

function folderOf(cache: string, path: string, version: string): string {
  const cached = join(cache, `${path}@${version}`);
  if (existsSync(cached)) return cached;
  const answer = execFileSync('go', ['mod', 'download', '-json', `${path}@${version}`], { encoding: 'utf8' });
  // Documented output of `go mod download -json`.
  return (JSON.parse(answer) as { Dir: string }).Dir;
}
