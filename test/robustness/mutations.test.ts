import { describe, expect, test } from 'vitest';
import { describeWithEtcd } from '../etcd-process.ts';
import { buildBundle } from './bundles.ts';
import { describeReport } from './describe-report.ts';
import { mutations, type Mutation } from './mutations.ts';
import { runScenario } from './scenario.ts';

const seed = 4;
const kill = { target: 'server-0', fault: 'kill', afterMs: 1000, lastsMs: 0 } as const;

/** Builds the server with the bug in it and lets it run: the checker must find it and call it by its name. */
async function expectCaught({
  deployment = 'embedded',
  faults = 'none',
  caughtAs,
  ...change
}: Mutation): Promise<void> {
  await using bundle = await buildBundle([change]);
  const durationMs = 2500;
  const planned = faults === 'kills' ? [kill, kill, kill] : [];
  const scenario = {
    seed,
    deployment,
    durationMs,
    minRequests: 1500,
    finishMs: 2000,
    faults: planned,
    launcher: bundle.launcher,
  };
  const report = await runScenario(scenario);
  const found = new Set(report.violations.map(({ kind }) => kind));
  expect(
    caughtAs.filter((kind) => found.has(kind)),
    describeReport(scenario, report),
  ).not.toEqual([]);
}

const onEtcd = mutations.filter(({ deployment = 'embedded' }) => deployment !== 'embedded');
const onEmbedded = mutations.filter((mutation) => !onEtcd.includes(mutation));

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
