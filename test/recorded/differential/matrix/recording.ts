import { readSharedResponses, writeSharedResponses } from '../../recording.ts';
import type { Digest } from './digest.ts';

/** The reference's responses by cell. */
export function readMatrix(): ReadonlyMap<string, Digest> {
  return readSharedResponses('differential', 'matrix');
}

export function writeMatrix(answers: ReadonlyMap<string, Digest>): void {
  writeSharedResponses('differential', 'matrix', answers);
}
