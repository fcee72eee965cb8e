import { createHash } from 'node:crypto';
import { encodeAny } from '../../../src/api/json/json-text.ts';
import type { JsonValue } from '../../../src/api/json/json.ts';
import { playConvertedWrites } from './play-converted-writes.ts';
import { playFailingLives } from './play-failing-lives.ts';
import { playFailingWrites } from './play-failing-writes.ts';
import { playLostFields } from './play-lost-fields.ts';
import { playMisansweredWrites } from './play-misanswered-writes.ts';
import { playReviewedWrites } from './play-reviewed-writes.ts';

/**
 * Plays whose answers are recorded alike; `record.ts` records them, and `plays.test.ts` replays. Of
 * those with the longest answers digests are recorded: play them against the reference to see what differs.
 */
export const plays = {
  'converted-writes': playConvertedWrites,
  'failing-lives': playFailingLives,
  'failing-writes': playFailingWrites,
  'lost-fields': playLostFields,
  'misanswered-writes': playMisansweredWrites,
  'reviewed-writes': playReviewedWrites,
} as const;

export type PlayName = keyof typeof plays;

const digested: ReadonlySet<string> = new Set<PlayName>(['converted-writes', 'reviewed-writes']);

/** An answer as it is recorded. */
export function recordedForm(play: string, answer: unknown): unknown {
  if (!digested.has(play) || answer === undefined) return answer;
  const plain = JSON.parse(JSON.stringify(answer)) as JsonValue;
  return createHash('sha256').update(encodeAny(plain)).digest('hex').slice(0, 16);
}
