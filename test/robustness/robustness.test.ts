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
  const definitionChanges = subject === 'custom' ? Math.ceil(seconds / 3) : 0;
  const atLeast = { requests: 0, writes: 2 * seconds, definitionChanges };
  const scenario = {
    seed,
    deployment,
    subject,
    durationMs: seconds * 1000,
    // A run without results proves nothing.
    atLeast,
    finishMs: 20_000,
    faults: 'seeded' as const,
    launcher,
  };
  const report = await runScenario(scenario);
  console.log(describeReport(scenario, report));
  expect(report.violations, describeReport(scenario, report)).toEqual([]);
  expect(report.run.changes.length).toBeGreaterThanOrEqual(atLeast.writes);
  expect(report.definitionChanges).toBeGreaterThanOrEqual(atLeast.definitionChanges);
}

const timeoutMs = seconds * 1000 + 150_000;

describe('clients, watches and faults', () => {
  test('on the embedded store', () => expectNoViolation('embedded'), timeoutMs);
  test('while the definition changes', () => expectNoViolation('embedded', 'custom'), timeoutMs);
});

describeWithEtcd('clients, watches and faults', () => {
  test('on etcd', () => expectNoViolation('etcd'), timeoutMs);
  test('two servers on one etcd', () => expectNoViolation('pair'), timeoutMs);
  test('two servers on an etcd of three members', () => expectNoViolation('cluster'), timeoutMs);
});
