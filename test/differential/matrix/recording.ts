import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Digest } from './digest.ts';

const file = join(import.meta.dirname, '..', 'testdata', 'matrix.jsonl');

/** One response per line, with the cells that get it. */
interface Line {
  readonly cells: readonly string[];
  readonly answer: Digest;
}

/** The reference's responses by cell. */
export function readMatrix(): Map<string, Digest> {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  // Written by `writeMatrix`.
  const parsed = lines.map((line) => JSON.parse(line) as Line);
  return new Map(parsed.flatMap(({ cells, answer }) => cells.map((cell) => [cell, answer] as const)));
}

export function writeMatrix(answers: ReadonlyMap<string, Digest>): void {
  const byAnswer = new Map<string, string[]>();
  for (const [cell, answer] of answers) {
    const text = JSON.stringify(answer);
    const cells = byAnswer.get(text);
    if (cells === undefined) byAnswer.set(text, [cell]);
    else cells.push(cell);
  }
  const lines = [...byAnswer].map(([answer, cells]) => `{"cells":${JSON.stringify(cells)},"answer":${answer}}`);
  writeFileSync(file, `${lines.join('\n')}\n`);
}
