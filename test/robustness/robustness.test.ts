import { describe, expect, test } from 'vitest';
import { describeWithEtcd } from '../etcd-process.ts';
import { launcher } from '../release-form.ts';
import type { DeploymentKind } from './deployment.ts';
import { describeReport } from './describe-report.ts';
import { runScenario, type Scenario } from './scenario.ts';

/** `BINNACLE_ROBUSTNESS_SEED` repeats a run, `BINNACLE_ROBUSTNESS_SECONDS` extends it. */
const seed = Number(process.env['BINNACLE_ROBUSTNESS_SEED'] ?? Math.floor(Date.now() / 1000));
const seconds = Number(process.env['BINNACLE_ROBUSTNESS_SECONDS'] ?? 15);

async function expectNoViolation(deployment: DeploymentKind, subject: Scenario['subject'] = 'builtIn'): Promise<void> {
  const isCustom = subject === 'custom';
  const scenario = {
    seed,
    deployment,
    subject,
    durationMs: seconds * 1000,
    atLeast: { writes: 2 * seconds + 1, definitionChanges: isCustom ? Math.floor(seconds / 3) + 1 : 0 },
    finishMs: 20_000,
    faults: 'seeded' as const,
    launcher,
  };
  const report = await runScenario(scenario);
  console.log(describeReport(scenario, report));
  expect(report.violations, describeReport(scenario, report)).toEqual([]);
  // A run without results proves nothing.
  expect(report.run.changes.length).toBeGreaterThan(2 * seconds);
  if (report.faults.some(({ fault }) => fault === 'throw')) expect(report.threadDeaths).toBeGreaterThan(0);
  if (isCustom) expect(report.definitionChanges).toBeGreaterThan(seconds / 3);
}

const timeoutMs = seconds * 1000 + 150_000;

describe('clients, watches and faults', () => {
  test('on the embedded store', () => expectNoViolation('embedded'), timeoutMs);
  test('with threads that die', () => expectNoViolation('threads'), timeoutMs);
  test('while the definition changes', () => expectNoViolation('embedded', 'custom'), timeoutMs);
});

describeWithEtcd('clients, watches and faults', () => {
  test('on etcd', () => expectNoViolation('etcd'), timeoutMs);
  test('on etcd, with threads that die', () => expectNoViolation('etcd-threads'), timeoutMs);
  test('two servers on one etcd', () => expectNoViolation('pair'), timeoutMs);
  test('two servers on an etcd of three members', () => expectNoViolation('cluster'), timeoutMs);
});
