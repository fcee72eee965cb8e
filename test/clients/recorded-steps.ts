import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { normalizeValue } from '../differential/normalize.ts';
import type { Steps } from './program.ts';

/** Without what differs between two servers that behave alike. */
export function normalizeSteps(steps: Steps): Steps {
  return normalizeValue(steps) as Steps; // Its keys are the same.
}

export function recordedSteps(name: string): Steps {
  return JSON.parse(readFileSync(pathOf(name), 'utf8')) as Steps; // Written below.
}

/** One line a step. */
export function recordSteps(name: string, steps: Steps): void {
  const lines = Object.entries(normalizeSteps(steps)).map(
    ([title, value]) => `${JSON.stringify(title)}: ${JSON.stringify(value)}`,
  );
  writeFileSync(pathOf(name), `{\n${lines.join(',\n')}\n}\n`);
}

function pathOf(name: string): string {
  return join(import.meta.dirname, 'testdata', `${name}.json`);
}
