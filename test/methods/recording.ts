import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Played } from './play.ts';

const file = join(import.meta.dirname, 'testdata', 'reference.json');

/** Many requests get the same response: each is stored once, with its requests. */
type Recorded = { readonly [answer: string]: readonly string[] };

export function writeRecording(played: Played): void {
  const answers: Recorded = Object.fromEntries(
    [...Map.groupBy(played, ([, answer]) => answer)].map(([answer, requests]) => [
      answer,
      requests.map(([request]) => request),
    ]),
  );
  writeFileSync(file, `${JSON.stringify(answers, undefined, 1)}\n`);
}

export function readRecording(): Played {
  // Written by `writeRecording`.
  const answers = JSON.parse(readFileSync(file, 'utf8')) as Recorded;
  return new Map(Object.entries(answers).flatMap(([answer, names]) => names.map((name) => [name, answer] as const)));
}
