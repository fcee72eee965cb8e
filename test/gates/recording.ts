import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Played } from './play.ts';

const file = join(import.meta.dirname, 'testdata', 'reference.json');

/** By setting of the gates. */
export type Recorded = Readonly<Record<string, Played>>;

export function writeRecording(recorded: Recorded): void {
  writeFileSync(file, `${JSON.stringify(recorded, undefined, 1)}\n`);
}

export function readRecording(): Recorded {
  // Written by `writeRecording`.
  return JSON.parse(readFileSync(file, 'utf8')) as Recorded;
}
