import type { JsonObject } from '../../../src/api/json/json.ts';
import { readCases, recordingsOf, writeCases } from '../recording.ts';
import { withoutIdentities } from '../../../tools/fuzz-controllers/play.ts';
import type { Subject } from '../../../tools/fuzz-controllers/subject.ts';

const folder = 'controllers';

export function isRecorded(subject: Subject): boolean {
  return recordingsOf(folder).includes(nameOf(subject));
}

/** Per seed, how its namespace ended beside kube-controller-manager. */
export function writeRecorded(subject: Subject, outcomes: ReadonlyMap<number, JsonObject>): void {
  writeCases(
    folder,
    nameOf(subject),
    [...outcomes].toSorted(([a], [b]) => a - b),
  );
}

export function readRecorded(subject: Subject): ReadonlyMap<number, JsonObject> {
  const outcomes = readCases<readonly [seed: number, outcome: JsonObject]>(folder, nameOf(subject));
  return new Map(outcomes.map(([seed, outcome]) => [seed, withoutIdentities(outcome)]));
}

function nameOf({ name }: Subject): string {
  return `random-${name}`;
}
