import { parseArgs } from 'node:util';
import { buildBundle } from './bundles.ts';
import { deploymentKinds } from './deployment.ts';
import { describeReport } from './describe-report.ts';
import { runScenario } from './scenario.ts';

const usage = `node test/robustness/run.ts [--seed N] [--minutes M] [--seconds S] [--deployment ${deploymentKinds.join('|')}] [--custom]

Runs rounds of S seconds (20) with the seeds N, N+1, ... (default: the time) for M minutes (1), on each deployment in turn unless one is named.
With --custom they work on a custom resource whose definition changes. Ends at the first violation, with exit code 1.`;

/** Runs rounds until the time is over or a violation is found. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      minutes: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '20' },
      deployment: { type: 'string' },
      custom: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const kinds = deploymentKinds.filter((kind) => values.deployment === undefined || kind === values.deployment);
  const firstSeed = Number(values.seed ?? Math.floor(Date.now() / 1000));
  const endMs = performance.now() + Number(values.minutes) * 60_000;
  if (kinds.length === 0 || !Number.isSafeInteger(firstSeed) || Number.isNaN(endMs)) throw new Error(usage);
  await using bundle = await buildBundle();
  for (let seed = firstSeed; seed === firstSeed || performance.now() < endMs; seed += 1) {
    for (const deployment of kinds) {
      const durationMs = Number(values.seconds) * 1000;
      const { launcher } = bundle;
      const scenario = {
        seed,
        deployment,
        subject: values.custom ? ('custom' as const) : ('builtIn' as const),
        durationMs,
        finishMs: 20_000,
        faults: 'seeded' as const,
        launcher,
      };
      const report = await runScenario(scenario);
      console.log(describeReport(scenario, report));
      if (report.violations.length > 0) return 1;
    }
  }
  return 0;
}

process.exitCode = await main();
