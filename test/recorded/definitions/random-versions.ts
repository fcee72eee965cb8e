import { type Digests, readDigests, writeDigests } from '../digests.ts';
import { digestOf } from './random-definitions.ts';
import { isFaultOfReference, type Played } from '../../../tools/compare-versions/play.ts';

/** In place of the digest of a step that is not sent. */
export const leftOut = '-';

/** Digests of the answers to the requests of each seed. */
export function readRandomVersions(): ReadonlyMap<string, Digests> {
  return readDigests('definitions', 'random-versions');
}

export function writeRandomVersions(played: Iterable<readonly [seed: number, played: readonly Played[]]>): void {
  const digest = (step: Played): string => (isFaultOfReference(step) ? leftOut : digestOf(step.answer));
  writeDigests(
    'definitions',
    'random-versions',
    [...played].map(([seed, steps]) => [String(seed), steps.map(digest)]),
  );
}
