import type { Steps } from '../../clients/program.ts';
import { normalizeValue } from '../differential/normalize.ts';
import { readFields, writeFields } from '../recording.ts';

/** Removes what differs between equivalent servers. */
export function normalizeSteps(steps: Steps): Steps {
  return normalizeValue(steps) as Steps; // same keys
}

export function recordedSteps(program: string): Steps {
  return readFields('clients', program);
}

export function recordSteps(program: string, steps: Steps): void {
  writeFields('clients', program, normalizeSteps(steps));
}
