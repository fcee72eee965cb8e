import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeWithEtcd } from '../etcd-process.ts';
import { buildBundle } from './bundles.ts';
import { describeReport } from './describe-report.ts';
import type { PlannedFault } from './faults.ts';
import { mutations, type Mutation } from './mutations.ts';
import { runScenario } from './scenario.ts';

/** Whether a bug shows up depends on timing too: it may take several runs. */
const seeds = [4, 5, 6, 7];
const plans: Readonly<Record<NonNullable<Mutation['faults']>, readonly PlannedFault[]>> = {
  none: [],
  kills: Array.from({ length: 3 }, () => ({ target: 'server-0', fault: 'kill', afterMs: 1000, lastsMs: 0 })),
  // The other server continues.
  stalls: Array.from({ length: 4 }, () => ({ target: 'link-1', fault: 'stall', afterMs: 300, lastsMs: 400 })),
};

/** Builds and runs the server with the bug: the checker must detect it as the expected violation. */
async function expectCaught({
  deployment = 'embedded',
  faults = 'none',
  caughtAs,
  ...change
}: Mutation): Promise<void> {
  await using bundle = await buildBundle([change]);
  const { launcher } = bundle;
  const reports: string[] = [];
  for (const seed of seeds) {
    const run = { seed, deployment, subject: 'builtIn' as const, durationMs: 2500, minRequests: 600, finishMs: 2000 };
    const scenario = { ...run, faults: plans[faults], launcher };
    const report = await runScenario(scenario);
    if (report.violations.some(({ kind }) => caughtAs.includes(kind))) return;
    reports.push(describeReport(scenario, report));
  }
  expect.fail(reports.join('\n'));
}

const onEtcd = mutations.filter(({ deployment = 'embedded' }) => deployment !== 'embedded');
const onEmbedded = mutations.filter((mutation) => !onEtcd.includes(mutation));

test('the documentation lists all planted bugs', async () => {
  const text = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'robustness.md'), 'utf8');
  const rows = [...text.matchAll(/^\| (.+?) \| (\S+\.ts) \| .+ \| (.+) \|$/gm)].map((row) => row.slice(1).join(', '));
  expect(rows).toEqual(
    mutations.map(({ title, file, caughtAs }) => [title, basename(file), caughtAs.join(' or ')].join(', ')),
  );
});

describe('the checker catches', () => {
  test.for(onEmbedded.map((mutation) => [mutation.title, mutation] as const))('%s', ([, mutation]) =>
    expectCaught(mutation),
  );
});

describeWithEtcd('the checker catches, on etcd,', () => {
  test.for(onEtcd.map((mutation) => [mutation.title, mutation] as const))('%s', ([, mutation]) =>
    expectCaught(mutation),
  );
});
