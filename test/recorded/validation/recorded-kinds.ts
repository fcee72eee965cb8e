import { readCases, recordingsOf, writeCases } from '../recording.ts';
import type { Recorded, RecordedHead, RecordedKind } from './answer.ts';

const subject = 'validation';

/** The sets of cases that are recorded. */
export const recordedSets = recordingsOf(subject);

/** Objects of a set with the cases of each; in the recording the cases follow their object, one on a line. */
export function readKinds(set: string): readonly RecordedKind[] {
  const kinds: { readonly head: RecordedHead; readonly cases: Recorded[] }[] = [];
  for (const line of readCases<RecordedHead | Recorded>(subject, set)) {
    if (isCase(line)) kinds.at(-1)?.cases.push(line);
    else kinds.push({ head: line, cases: [] });
  }
  return kinds;
}

export function writeKinds(set: string, kinds: readonly RecordedKind[]): void {
  writeCases(
    subject,
    set,
    kinds.flatMap(({ head, cases }) => [head, ...cases]),
  );
}

function isCase(line: RecordedHead | Recorded): line is Recorded {
  return Array.isArray(line);
}
