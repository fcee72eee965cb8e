import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from './script.ts';

/** One answer per line, in the order of the steps. */
export function readRecording(script: string): Map<string, Answer> {
  const lines = readFileSync(pathOf(script), 'utf8').trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      // Written by `writeRecording`.
      const { step, answer } = JSON.parse(line) as { readonly step: string; readonly answer: Answer };
      return [step, answer] as const;
    }),
  );
}

export function writeRecording(script: string, answers: ReadonlyMap<string, Answer>): void {
  const lines = [...answers].map(([step, answer]) => JSON.stringify({ step, answer }));
  writeFileSync(pathOf(script), `${lines.join('\n')}\n`);
}

function pathOf(script: string): string {
  return join(import.meta.dirname, 'testdata', `${script}.jsonl`);
}
