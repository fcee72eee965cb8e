import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bundle, buildBundle } from './bundles.ts';
import { describeReport } from './describe-report.ts';
import type { PlannedFault } from './faults.ts';
import type { Mutation } from './mutations.ts';
import { runScenario } from './scenario.ts';

/** Whether a bug shows up depends on timing too: it may take several runs. */
const seeds = [4, 5, 6, 7];
/** For all of them, on a machine that is busy with as many other servers. */
const timeout = 300_000;
const plans: Readonly<Record<NonNullable<Mutation['faults']>, readonly PlannedFault[]>> = {
  none: [],
  kills: Array.from({ length: 3 }, () => ({ target: 'server-0', fault: 'kill', afterMs: 1000, lastsMs: 0 })),
  // The other server continues.
  stalls: Array.from({ length: 10 }, () => ({ target: 'link-1', fault: 'stall', afterMs: 300, lastsMs: 400 })),
};

/** A test of each: the checker must detect the bug. One bundle has them all. */
export function testCaught(mutations: readonly Mutation[]): void {
  let bundle: Bundle;
  beforeAll(async () => void (bundle = await buildBundle(mutations)), timeout);
  afterAll(() => bundle?.[Symbol.asyncDispose]());
  const cases = mutations.map((mutation) => [mutation.title, mutation] as const);
  test.for(cases)('%s', { timeout }, async ([, mutation]) => {
    const { isCaught, reports } = await runUntilCaught(mutation, bundle.launcherWith(mutation));
    expect(isCaught, reports.join('\n')).toBe(true);
  });
}

interface Runs {
  /** Whether the checker has detected the bug as the expected violation. */
  readonly isCaught: boolean;
  /** Descriptions of the runs that did not show it. */
  readonly reports: readonly string[];
}

/** Runs the server with the bug, with one seed after the other until it is caught. */
async function runUntilCaught(
  { deployment = 'embedded', faults = 'none', caughtAs }: Mutation,
  launcher: string,
): Promise<Runs> {
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
    if (report.violations.some(({ kind }) => caughtAs.includes(kind))) return { isCaught: true, reports };
    reports.push(describeReport(scenario, report));
  }
  return { isCaught: false, reports };
}
