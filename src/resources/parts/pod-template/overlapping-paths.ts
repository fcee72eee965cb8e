import { goQuote } from '../../../api/go/go-quote.ts';
import { withoutEnd } from '../../../api/text/text-edges.ts';
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
  const earlier = folder('');
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
  /** Several segments where nothing branches off between them: `a/b`. */
  readonly segments: string;
  readonly here: number[];
  readonly all: number[];
  /** By first segment. */
  readonly inside: Map<string, Folder>;
}

function folder(segments: string, all: number[] = []): Folder {
  return { segments, here: [], all, inside: new Map() };
}

/** Inserts a path; returns the indexes of those above, at and below it. */
function place(root: Folder, path: string, index: number): readonly number[] {
  const above: number[] = [];
  let at = root;
  for (let left: string | undefined = path; left !== undefined;) {
    above.push(...at.here);
    at.all.push(index);
    const next = at.inside.get(firstSegment(left)) ?? folder(left);
    const shared = sharedLength(next.segments, left);
    at = insideOf(at, next, shared);
    left = shared < left.length ? left.slice(shared + 1) : undefined;
  }
  const met = [...above, ...at.all].sort((a, b) => a - b);
  at.here.push(index);
  at.all.push(index);
  return met;
}

/** Puts a folder, or its first segments up to this length, into another one. */
function insideOf(parent: Folder, whole: Folder, length: number): Folder {
  const { segments } = whole;
  const isWhole = length === segments.length;
  const first = isWhole ? whole : folder(segments.slice(0, length), [...whole.all]);
  parent.inside.set(firstSegment(segments), first);
  if (!isWhole) {
    const rest = segments.slice(length + 1);
    first.inside.set(firstSegment(rest), { ...whole, segments: rest });
  }
  return first;
}

function firstSegment(path: string): string {
  const slash = path.indexOf('/');
  return slash === -1 ? path : path.slice(0, slash);
}

/** The length of the segments with which both begin. */
function sharedLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let shared = 0;
  for (let at = 0; at <= most; at++) {
    const [a, b] = [one[at] ?? '/', other[at] ?? '/'];
    if (a !== b) break;
    if (a === '/') shared = at;
  }
  return shared;
}

function shown({ path, source }: FilePath): string {
  return source === '' ? goQuote(path) : `${goQuote(path)} (${source})`;
}
