import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeWithEtcd } from '../etcd-process.ts';
import { buildBundle } from './bundles.ts';
import { describeReport } from './describe-report.ts';
import type { PlannedFault } from './faults.ts';
import { mutations, type Mutation } from './mutations.ts';
import { runScenario } from './scenario.ts';

const seed = 4;
const plans: Readonly<Record<NonNullable<Mutation['faults']>, readonly PlannedFault[]>> = {
  none: [],
  kills: Array.from({ length: 3 }, () => ({ target: 'server-0', fault: 'kill', afterMs: 1000, lastsMs: 0 })),
  // The other server goes on.
  stalls: Array.from({ length: 4 }, () => ({ target: 'link-1', fault: 'stall', afterMs: 300, lastsMs: 400 })),
};

/** Builds the server with the bug in it and lets it run: the checker must find it and call it by its name. */
async function expectCaught({
  deployment = 'embedded',
  faults = 'none',
  caughtAs,
  ...change
}: Mutation): Promise<void> {
  await using bundle = await buildBundle([change]);
  const durationMs = 2500;
  const scenario = {
    seed,
    deployment,
    durationMs,
    minRequests: 1200,
    finishMs: 2000,
    faults: plans[faults],
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

test('the documentation tells of all planted bugs', async () => {
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
