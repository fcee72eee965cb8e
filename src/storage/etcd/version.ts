import { StorageError } from '../contract.ts';

/** The first releases with reliable progress responses: earlier ones answered for watches that were behind. */
const firstUsable = [
  { release: '3.4', patch: 31 },
  { release: '3.5', patch: 13 },
];

/** Throws a StorageError if this etcd does not allow consistent reads from a cache. */
export function requireUsableVersion(version: string): void {
  const [, release = '', major = '', minor = '', patch = ''] = /^((\d+)\.(\d+))\.(\d+)/.exec(version) ?? [];
  const known = firstUsable.find((candidate) => candidate.release === release);
  const oldest = known?.patch ?? (Number(major) * 1000 + Number(minor) > 3005 ? 0 : Infinity);
  if (Number(patch) >= oldest) return;
  throw new StorageError(
    'unavailable',
    `etcd ${version} does not report watch progress reliably; 3.5.13 or newer is required`,
  );
}
