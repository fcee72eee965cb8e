import { createHash } from 'node:crypto';

import type { ResourceStorage } from './resource.ts';

/** What discovery tells of the version objects are stored in: it changes when that version does (KEP-1192). */
export function storageVersionHash({ group, version, kind }: ResourceStorage): string {
  return createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');
}
