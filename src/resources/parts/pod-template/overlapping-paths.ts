import { goQuote } from '../../../api/go-quote.ts';
import { withoutEnd } from '../../../api/text-edges.ts';
import type { Volume, VolumeProjection } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { perItem, type Warnings } from '../warnings/per-item.ts';

/** A file that a volume creates, and its source if the volume has several. */
interface FilePath {
  readonly path: string;
  readonly source: string;
}

/** Warnings about files of a volume that are at, above or below the path of another one. */
export function overlappingPathWarnings(volumes: readonly Volume[]): Warnings {
  return perItem(volumes, (volume) => {
    const { configMap, secret, downwardAPI, projected } = volume;
    return configMap?.items || secret?.items || downwardAPI?.items || projected ? volumeOverlaps(volume) : [];
  });
}

function* volumeOverlaps({ name = '', configMap, secret, downwardAPI, projected }: Volume): Warnings {
  if (configMap?.items) {
    yield* overlapWarnings(name, `ConfigMap ${goQuote(configMap.name ?? '')}`, pathsOf(configMap.items));
  }
  if (secret?.items) {
    yield* overlapWarnings(name, `Secret ${goQuote(secret.secretName ?? '')}`, pathsOf(secret.items));
  }
  if (downwardAPI?.items) yield* overlapWarnings(name, 'DownwardAPI', pathsOf(downwardAPI.items));
  if (projected === undefined) return;
  const noSources = `volume ${goQuote(name)} (Projected) has no sources provided`;
  yield* perItem(projected.sources, (source) => (Object.keys(source).length === 0 ? [noSources] : []));
  yield* overlapWarnings(name, 'Projected', (projected.sources ?? []).flatMap(pathsOfSource));
}

function pathsOf(items: readonly { readonly path?: string }[], source = ''): FilePath[] {
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

function* overlapWarnings(volume: string, what: string, paths: readonly FilePath[]): Warnings {
  const earlier = folder();
  yield* perItem(paths, function* (one, index) {
    if (one.path === '') return;
    for (const other of place(earlier, one.path, index)) {
      const both = `${shown(one)} with ${shown(paths[other] ?? one)}`;
      yield `volume ${goQuote(volume)} (${what}): overlapping paths: ${both}`;
    }
  });
}

/** A directory or file, with the indexes of the paths that end here, and of all that end here or below. */
interface Folder {
  readonly here: number[];
  readonly all: number[];
  readonly inside: Map<string, Folder>;
}

function folder(): Folder {
  return { here: [], all: [], inside: new Map() };
}

/** Inserts a path; returns the indexes of those above, at and below it. */
function place(root: Folder, path: string, index: number): readonly number[] {
  const above: number[] = [];
  let at = root;
  for (const segment of path.split('/')) {
    above.push(...at.here);
    at.all.push(index);
    let next = at.inside.get(segment);
    if (next === undefined) at.inside.set(segment, (next = folder()));
    at = next;
  }
  const met = [...above, ...at.all].sort((a, b) => a - b);
  at.here.push(index);
  at.all.push(index);
  return met;
}

function shown({ path, source }: FilePath): string {
  return source === '' ? goQuote(path) : `${goQuote(path)} (${source})`;
}
