import { createHash } from 'node:crypto';

import type { ResourceStorage } from './resource.ts';

/** The storageVersionHash in discovery: it changes with the storage version (KEP-1192). */
export function storageVersionHash({ group, version, kind }: ResourceStorage): string {
  return createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');
}
