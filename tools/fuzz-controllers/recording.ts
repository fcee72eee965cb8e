import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/api/json/json.ts';
import { withoutIdentities } from './play.ts';
import type { Subject } from './subject.ts';

/** A line per seed: how its namespace ended beside kube-controller-manager. */
export function recordingPath({ name }: Subject): string {
  return join(import.meta.dirname, 'testdata', `${name}.jsonl`);
}

export function writeRecorded(subject: Subject, outcomes: ReadonlyMap<number, JsonObject>): void {
  const lines = [...outcomes].toSorted(([a], [b]) => a - b).map((entry) => `${JSON.stringify(entry)}\n`);
  writeFileSync(recordingPath(subject), lines.join(''));
}

export function readRecorded(subject: Subject): ReadonlyMap<number, JsonObject> {
  const lines = readFileSync(recordingPath(subject), 'utf8').trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const [seed, outcome] = JSON.parse(line) as [number, JsonObject]; // written by `writeRecorded`
      return [seed, withoutIdentities(outcome)];
    }),
  );
}
