import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BodyAnswer } from './body-client.ts';

const folder = join(import.meta.dirname, 'testdata');

/** Responses by case name. */
export type Recording = ReadonlyMap<string, readonly BodyAnswer[]>;

/** One case per line: its name, then code, text and warnings of each response. */
type Line = readonly [name: string, ...answers: (readonly [code: number, text: string, ...warnings: string[]])[]];

export function readRecording(file: string): Recording {
  const lines = readFileSync(join(folder, `${file}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    // Written by `writeRecording`.
    .map((line) => JSON.parse(line) as Line);
  return new Map(
    lines.map(([name, ...answers]) => [name, answers.map(([code, text, ...warnings]) => ({ code, text, warnings }))]),
  );
}

export function writeRecording(file: string, recording: Recording): void {
  const lines = [...recording].map(([name, answers]): Line => [
    name,
    ...answers.map(({ code, text, warnings }) => [code, text, ...warnings] as const),
  ]);
  writeFileSync(join(folder, `${file}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
