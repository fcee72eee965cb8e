import { readCases, writeCases } from '../recording.ts';
import type { BodyResponse } from './body-client.ts';

/** Responses by case name. */
export type Recording = ReadonlyMap<string, readonly BodyResponse[]>;

/** A case: its name, then code, text and warnings of each response. */
type Line = readonly [name: string, ...answers: (readonly [code: number, text: string, ...warnings: string[]])[]];

export function readRecording(file: string): Recording {
  return new Map(
    readCases<Line>('bodies', file).map(([name, ...answers]) => [
      name,
      answers.map(([code, text, ...warnings]) => ({ code, text, warnings })),
    ]),
  );
}

export function writeRecording(file: string, recording: Recording): void {
  const cases = [...recording].map(([name, answers]): Line => [
    name,
    ...answers.map(({ code, text, warnings }) => [code, text, ...warnings] as const),
  ]);
  writeCases('bodies', file, cases);
}
