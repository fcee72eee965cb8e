import { join } from 'node:path';
import { playConvertedWrites } from './play-converted-writes.ts';
import { playFailingLives } from './play-failing-lives.ts';
import { playFailingWrites } from './play-failing-writes.ts';
import { playLostFields } from './play-lost-fields.ts';
import { playMisansweredWrites } from './play-misanswered-writes.ts';
import { playReviewedWrites } from './play-reviewed-writes.ts';

/** Plays whose answers are recorded alike, one step a line; `record.ts` records them, and `plays.test.ts` replays. */
export const plays = {
  'converted-writes': playConvertedWrites,
  'failing-lives': playFailingLives,
  'failing-writes': playFailingWrites,
  'lost-fields': playLostFields,
  'misanswered-writes': playMisansweredWrites,
  'reviewed-writes': playReviewedWrites,
} as const;

export type PlayName = keyof typeof plays;

export function recordingPath(name: string): string {
  return join(import.meta.dirname, 'testdata', `${name}.json`);
}
