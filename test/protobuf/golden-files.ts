import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseApiVersion, type GroupVersionKind } from '../../src/api/meta/group-version.ts';
import { readEnvelope } from '../../src/codec/protobuf/envelope.ts';

/**
 * One encoding of an object, and what Go writes after reading it: the same except for fields added or removed since.
 */
export interface GoldenFile {
  readonly read: Buffer;
  readonly written: Buffer;
}

/** A kind of one release in three encodings. */
export interface Golden {
  /** `core.v1.Pod` */
  readonly id: string;
  readonly kind: GroupVersionKind;
  readonly pb: GoldenFile;
  readonly json: GoldenFile;
  readonly yaml: GoldenFile;
}

const goModules = process.env['GOMODCACHE'] ?? join(process.env['GOPATH'] ?? join(homedir(), 'go'), 'pkg', 'mod');

/** The Go modules with golden files are present where the reference has been built. */
export const goldenFolders = {
  api: join(goModules, 'k8s.io/api@v0.37.1/testdata'),
  apiextensions: join(goModules, 'k8s.io/apiextensions-apiserver@v0.37.1/pkg/apis/testdata'),
  metrics: join(goModules, 'k8s.io/metrics@v0.37.1/pkg/apis/testdata'),
} as const;

/** Releases in a folder other than the current one; empty if the folder is missing. */
export function olderReleases(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('v1.')) : [];
}

/** Ids of the kinds with golden files for a release. */
export function goldenIds(folder: string, release: string): readonly string[] {
  const dir = join(folder, release);
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((file) => file.endsWith('.pb') && !file.includes(roundTrip))
    .map((file) => file.slice(0, -'.pb'.length));
}

const roundTrip = '.after_roundtrip';

export function readGolden(folder: string, release: string, id: string): Golden {
  const path = join(folder, release, id);
  const file = (form: string): GoldenFile => {
    const read = readFileSync(`${path}.${form}`);
    const changed = `${path}${roundTrip}.${form}`;
    return { read, written: existsSync(changed) ? readFileSync(changed) : read };
  };
  const pb = file('pb');
  return { id, kind: kindOf(pb.read), pb, json: file('json'), yaml: file('yaml') };
}

function kindOf(message: Buffer): GroupVersionKind {
  const { apiVersion, kind } = readEnvelope(message);
  // WatchEvent objects have no kind.
  if (kind === '') return { group: '', version: 'v1', kind: 'WatchEvent' };
  const parsed = parseApiVersion(apiVersion);
  if (parsed === undefined) throw new Error(`${apiVersion} is no group version`);
  return { ...parsed, kind };
}
