import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from './scenario.ts';

const folder = join(import.meta.dirname, 'testdata');

/** One recorded response per line, in the order of the steps. */
export function readRecording(scenario: string): Map<string, Answer> {
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

export function writeRecording(scenario: string, answers: ReadonlyMap<string, Answer>): void {
  const lines = [...answers].map(([step, answer]) => JSON.stringify({ step, answer }));
  writeFileSync(join(folder, `${scenario}.jsonl`), `${lines.join('\n')}\n`);
}
