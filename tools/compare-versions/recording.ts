import { join } from 'node:path';
import { digestOf } from '../fuzz-definitions/recording.ts';
import { isFaultOfReference, type Played } from './play.ts';

/** One line per seed: the seed, and a digest of each response. */
export const recordingPath = join(import.meta.dirname, 'testdata', 'digests.txt');

/** In place of the digest of a step that is not sent. */
export const leftOut = '-';

export function lineOf(seed: number, played: readonly Played[]): string {
  return [seed, ...played.map((step) => (isFaultOfReference(step) ? leftOut : digestOf(step.answer)))].join(' ');
}
