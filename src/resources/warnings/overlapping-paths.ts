import { goQuote } from '../../api/go-quote.ts';
import type { Volume, VolumeProjection } from '../../schema/kubernetes/generated/types/core-v1.ts';
import { withoutEnd } from '../../api/text-edges.ts';

/** A path that a volume puts a file at, and where the file comes from when the volume has several sources. */
interface FilePath {
  readonly path: string;
  readonly source: string;
}

/** Warnings of files that a volume puts where another of its files is, or above or below it. */
export function overlappingPathWarnings(volumes: readonly Volume[]): string[] {
  return volumes.flatMap(({ name = '', configMap, secret, downwardAPI, projected }) => [
    ...overlapWarnings(name, `ConfigMap ${goQuote(configMap?.name ?? '')}`, pathsOf(configMap?.items)),
    ...overlapWarnings(name, `Secret ${goQuote(secret?.secretName ?? '')}`, pathsOf(secret?.items)),
    ...overlapWarnings(name, 'DownwardAPI', pathsOf(downwardAPI?.items)),
    ...(projected?.sources ?? [])
      .filter((source) => Object.keys(source).length === 0)
      .map(() => `volume ${goQuote(name)} (Projected) has no sources provided`),
    ...overlapWarnings(name, 'Projected', (projected?.sources ?? []).flatMap(pathsOfSource)),
  ]);
}

function pathsOf(items: readonly { readonly path?: string }[] = [], source = ''): FilePath[] {
  return items.map(({ path = '' }) => ({ path: withoutEnd(path, '/'), source }));
}

function pathsOfSource(projection: VolumeProjection): FilePath[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = projection;
  if (configMap?.items) return pathsOf(configMap.items, `ConfigMap ${goQuote(configMap.name ?? '')}`);
  if (secret?.items) return pathsOf(secret.items, `Secret ${goQuote(secret.name ?? '')}`);
  if (downwardAPI?.items) return pathsOf(downwardAPI.items, 'DownwardAPI');
  if (serviceAccountToken) return pathsOf([serviceAccountToken], 'ServiceAccountToken');
  if (clusterTrustBundle) {
    const { name, signerName = '' } = clusterTrustBundle;
    return pathsOf([clusterTrustBundle], `ClusterTrustBundle ${goQuote(name ?? signerName)}`);
  }
  const rows = [
    ['certificateChainPath', 'chain'],
    ['keyPath', 'key'],
    ['credentialBundlePath', 'credential bundle'],
  ] as const;
  return rows.flatMap(([field, what]) => {
    const path = podCertificate?.[field] ?? '';
    return path === '' ? [] : pathsOf([{ path }], `PodCertificate ${what}`);
  });
}

function overlapWarnings(volume: string, what: string, paths: readonly FilePath[]): string[] {
  return paths.flatMap((one, index) =>
    paths
      .slice(0, index)
      .filter((other) => overlap(one.path, other.path))
      .map((other) => {
        const both = `${shown(one)} with ${shown(other)}`;
        return `volume ${goQuote(volume)} (${what}): overlapping paths: ${both}`;
      }),
  );
}

function overlap(one: string, other: string): boolean {
  if (one === '' || other === '') return false;
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

function shown({ path, source }: FilePath): string {
  return source === '' ? goQuote(path) : `${goQuote(path)} (${source})`;
}
