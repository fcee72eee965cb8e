import { expect } from 'vitest';
import { buildBundle } from './bundles.ts';
import { describeReport } from './describe-report.ts';
import type { PlannedFault } from './faults.ts';
import type { Mutation } from './mutations.ts';
import { runScenario } from './scenario.ts';

/** Whether a bug shows up depends on timing too: it may take several runs. */
const seeds = [4, 5, 6, 7];
/** For all of them, on a machine that is busy with as many other servers. */
export const timeout = 300_000;
const plans: Readonly<Record<NonNullable<Mutation['faults']>, readonly PlannedFault[]>> = {
  none: [],
  kills: Array.from({ length: 3 }, () => ({ target: 'server-0', fault: 'kill', afterMs: 1000, lastsMs: 0 })),
  // The other server continues.
  stalls: Array.from({ length: 10 }, () => ({ target: 'link-1', fault: 'stall', afterMs: 300, lastsMs: 400 })),
};

/** Builds and runs the server with the bug: the checker must detect it as the expected violation. */
export async function expectCaught({
  deployment = 'embedded',
  faults = 'none',
  caughtAs,
  ...change
}: Mutation): Promise<void> {
  await using bundle = await buildBundle([change]);
  const { launcher } = bundle;
  const reports: string[] = [];
  for (const seed of seeds) {
    const scenario = {
      seed,
      deployment,
      subject: 'builtIn' as const,
      durationMs: 2500,
      atLeast: { requests: 600 },
      finishMs: 2000,
      faults: plans[faults],
      launcher,
    };
    const report = await runScenario(scenario);
    if (report.violations.some(({ kind }) => caughtAs.includes(kind))) return;
    reports.push(describeReport(scenario, report));
  }
  expect.fail(reports.join('\n'));
}
