import { readSharedAnswers, writeSharedAnswers } from '../../recording.ts';
import type { Digest } from './digest.ts';

/** The reference's responses by cell. */
export function readMatrix(): ReadonlyMap<string, Digest> {
  return readSharedAnswers('differential', 'matrix');
}

export function writeMatrix(answers: ReadonlyMap<string, Digest>): void {
  writeSharedAnswers('differential', 'matrix', answers);
}
