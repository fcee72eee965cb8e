import { createHash } from 'node:crypto';
import { isJsonObject, type JsonValue } from '../../../src/api/json/json.ts';
import { inKeyOrder } from '../../../src/api/json/json-text.ts';
import { type Digests, readDigests, writeDigests } from '../digests.ts';
import type { Played } from '../../../tools/fuzz-definitions/play.ts';

/** Digests of the answers to the requests of each seed. */
export function readRandomDefinitions(): ReadonlyMap<string, Digests> {
  return readDigests('definitions', 'random-definitions');
}

export function writeRandomDefinitions(played: Iterable<readonly [seed: number, played: readonly Played[]]>): void {
  const digests = [...played].map(
    ([seed, steps]) => [String(seed), steps.map(({ answer }) => digestOf(answer))] as const,
  );
  writeDigests('definitions', 'random-definitions', digests);
}

/** Starts with the code. */
export function digestOf(answer: JsonValue): string {
  const code = isJsonObject(answer) ? JSON.stringify(answer['code']) : '';
  const hash = createHash('sha256').update(JSON.stringify(inKeyOrder(answer)));
  return `${code}${hash.digest('base64url').slice(0, 5)}`;
}
