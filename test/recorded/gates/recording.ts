import { readFields, writeFields } from '../recording.ts';
import type { Played } from './play.ts';

/** By setting of the gates. */
export type Recorded = Readonly<Record<string, Played>>;

export function writeRecording(recorded: Recorded): void {
  writeFields('gates', 'answers', recorded);
}

export function readRecording(): Recorded {
  return readFields('gates', 'answers');
}
