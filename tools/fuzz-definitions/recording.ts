import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isJsonObject, type JsonValue } from '../../src/api/json/json.ts';
import { inKeyOrder } from '../../src/api/json/json-text.ts';
import type { Played } from './play.ts';

/** One line per seed: the seed, and a digest of each response. */
export const recordingPath = join(import.meta.dirname, 'testdata', 'digests.txt');

export function lineOf(seed: number, played: readonly Played[]): string {
  return [seed, ...played.map(({ answer }) => digestOf(answer))].join(' ');
}

/** Starts with the code. */
export function digestOf(answer: JsonValue): string {
  const code = isJsonObject(answer) ? JSON.stringify(answer['code']) : '';
  const hash = createHash('sha256').update(JSON.stringify(inKeyOrder(answer)));
  return `${code}${hash.digest('base64url').slice(0, 5)}`;
}
