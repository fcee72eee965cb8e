import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from './scenario.ts';

const ownFolder = join(import.meta.dirname, 'testdata');

/** One recorded answer a line, in the order of the steps. */
export function readRecording(scenario: string, folder = ownFolder): Map<string, Answer> {
  const lines = readFileSync(join(folder, `${scenario}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  return new Map(
    lines.map((line) => {
      // Written by `writeRecording`.
      const { step, answer } = JSON.parse(line) as { readonly step: string; readonly answer: Answer };
      return [step, answer] as const;
    }),
  );
}

export function writeRecording(scenario: string, answers: ReadonlyMap<string, Answer>, folder = ownFolder): void {
  const lines = [...answers].map(([step, answer]) => JSON.stringify({ step, answer }));
  writeFileSync(join(folder, `${scenario}.jsonl`), `${lines.join('\n')}\n`);
}
