import { readResponses, writeResponses } from '../recording.ts';
import type { States } from './play.ts';

export const seeds = Array.from({ length: 200 }, (_, at) => at + 1);

/** What remained after building, after each round of deletions, and when nothing was held any more. */
type Phases = readonly string[];

export function writeRuns(runs: readonly (readonly States[])[]): void {
  const names = [...(runs[0]?.[0] ?? new Map<string, string>()).keys()];
  const ways = names.map((name) => {
    const seen = runs.map((phases) => phases.map((states) => states.get(name) ?? ''));
    return [name, [...new Map(seen.map((phases) => [phases.join('#'), phases])).values()]] as const;
  });
  writeResponses('garbage-collection', 'states', ways);
}

/** By the name of an instance, what remained of it, in every way that has been seen. */
export function readWays(): ReadonlyMap<string, readonly Phases[]> {
  return readResponses('garbage-collection', 'states');
}
