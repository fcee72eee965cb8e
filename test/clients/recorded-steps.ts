import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { normalizeValue } from '../recorded/differential/normalize.ts';
import type { Steps } from './program.ts';

/** Removes what differs between equivalent servers. */
export function normalizeSteps(steps: Steps): Steps {
  return normalizeValue(steps) as Steps; // same keys
}

export function recordedSteps(name: string): Steps {
  return JSON.parse(readFileSync(pathOf(name), 'utf8')) as Steps; // written below
}

/** One step per line. */
export function recordSteps(name: string, steps: Steps): void {
  const lines = Object.entries(normalizeSteps(steps)).map(
    ([title, value]) => `${JSON.stringify(title)}: ${JSON.stringify(value)}`,
  );
  writeFileSync(pathOf(name), `{\n${lines.join(',\n')}\n}\n`);
}

function pathOf(name: string): string {
  return join(import.meta.dirname, 'testdata', `${name}.json`);
}
