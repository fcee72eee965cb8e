// node test/durations/record.ts: records how long each test file took when it last ran in this checkout, which vitest
// remembers. First run everything, with the programs of the reference, on a machine that does nothing else:
// `.ci/run` or `npm run test:all`.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Durations, durationsPath, leastRecordedSeconds } from './durations.ts';

/** What is read of vitest's cache. */
interface Results {
  readonly projects: Readonly<
    Record<string, { readonly files: Readonly<Record<string, { readonly duration: number }>> }>
  >;
}

const root = join(import.meta.dirname, '..', '..');
const [cache] = globSync('node_modules/.vite/vitest/*/results.json', { cwd: root });
if (cache === undefined) throw new Error('no test has run in this checkout');
const { projects } = JSON.parse(readFileSync(join(root, cache), 'utf8')) as Results;
const tests = new Set(globSync('{src,tools,bench,test}/**/*.test.ts', { cwd: root }));

const durations: Durations = Object.fromEntries(
  Object.entries(projects)
    .toSorted(byKey)
    .map(([project, { files }]) => {
      const seconds = Object.entries(files)
        .filter(([path]) => tests.has(path))
        .map(([path, { duration }]): [string, number] => [path, Math.round(duration / 1000)]);
      return [project, Object.fromEntries(seconds.filter(([, took]) => took >= leastRecordedSeconds).toSorted(byKey))];
    }),
);
writeFileSync(durationsPath, `${JSON.stringify(durations, undefined, 2)}\n`);

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
