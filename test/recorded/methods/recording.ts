import { readSharedAnswers, writeSharedAnswers } from '../recording.ts';
import type { Played } from './play.ts';

export function writeRecording(played: Played): void {
  writeSharedAnswers('methods', 'answers', played);
}

export function readRecording(): Played {
  return readSharedAnswers('methods', 'answers');
}
