import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A test file in one of the projects of vitest. */
export interface TestFile {
  readonly project: string;
  /** From the root of the checkout, with slashes. */
  readonly path: string;
}

/** Seconds by project and file. */
export type Durations = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * Written by `record.ts` after a run of everything with four workers on two cores. A file that is not in it took less
 * than `leastRecordedSeconds`, or is newer.
 */
export const durationsPath = join(import.meta.dirname, 'durations.json');

export const leastRecordedSeconds = 2;

export function readDurations(): Durations {
  return JSON.parse(readFileSync(durationsPath, 'utf8')) as Durations;
}

export function secondsOf({ project, path }: TestFile, durations: Durations): number {
  return durations[project]?.[path] ?? 0;
}
