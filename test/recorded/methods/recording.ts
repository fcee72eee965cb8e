import { readSharedResponses, writeSharedResponses } from '../recording.ts';
import type { Played } from './play.ts';

export function writeRecording(played: Played): void {
  writeSharedResponses('methods', 'answers', played);
}

export function readRecording(): Played {
  return readSharedResponses('methods', 'answers');
}
