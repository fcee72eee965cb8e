import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Played } from './play.ts';
import { accepts } from './requests.ts';

const file = join(import.meta.dirname, 'testdata', 'reference.json');

/** Many Accept headers get the same response: each is stored once, and referred to by its index. */
interface Recorded {
  readonly accepts: readonly (string | null)[];
  readonly answers: readonly string[];
  readonly requests: { readonly [name: string]: string };
}

export function writeRecording(played: Played): void {
  const answers = [...new Set([...played.values()].flat())];
  const numbers = new Map(answers.map((answer, number) => [answer, number]));
  const requests = Object.fromEntries(
    [...played].map(([name, told]) => [name, told.map((answer) => numbers.get(answer)).join(' ')]),
  );
  const recorded: Recorded = { accepts: accepts.map((accept) => accept ?? null), answers, requests };
  writeFileSync(file, `${JSON.stringify(recorded, undefined, 1)}\n`);
}

/** The recorded responses; throws if they are for other headers. */
export function readRecording(): Played {
  // Written by `writeRecording`.
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as Recorded;
  const now = JSON.stringify(accepts.map((accept) => accept ?? null));
  if (JSON.stringify(recorded.accepts) !== now) throw new Error('the Accept headers are not those of the recording');
  return new Map(
    Object.entries(recorded.requests).map(([name, numbers]) => [
      name,
      numbers.split(' ').map((number) => recorded.answers[Number(number)] ?? ''),
    ]),
  );
}
