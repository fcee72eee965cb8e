import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { States } from './play.ts';

const file = new URL('testdata/states.json.gz', import.meta.url);

export const seeds = Array.from({ length: 200 }, (_, at) => at + 1);

/** What remained after building, after each round of deletions, and when nothing was held any more. */
type Phases = readonly string[];

/** What remained of each instance, in every way that has been seen. */
type Recording = Readonly<Record<string, readonly Phases[]>>;

export function writeRuns(runs: readonly (readonly States[])[]): void {
  const names = [...(runs[0]?.[0] ?? new Map<string, string>()).keys()];
  const ways = names.map((name) => {
    const seen = runs.map((phases) => phases.map((states) => states.get(name) ?? ''));
    return [name, [...new Map(seen.map((phases) => [phases.join('#'), phases])).values()]] as const;
  });
  writeFileSync(file, gzipSync(JSON.stringify(Object.fromEntries(ways)), { level: 9 }));
}

export function readWays(): Recording {
  // Written by the function above.
  return JSON.parse(gunzipSync(readFileSync(file)).toString()) as Recording;
}
