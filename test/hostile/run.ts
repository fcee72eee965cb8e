import { connect } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildBundle } from '../robustness/bundles.ts';
import { allCases } from './all-cases.ts';
import { ask, type Target } from './raw-client.ts';
import { describeTrial } from './report.ts';
import { startServerTarget } from './server-target.ts';
import { soak, type SoakOptions } from './soak.ts';
import { Suite } from './suite.ts';

const usage = `node test/hostile/run.ts [--only TEXT] [--long] [--stacks] [--tries N] [--launcher FILE] [--flag FLAG]...
node test/hostile/run.ts --soak SECONDS [--seed N] [--flag FLAG]...

Does to a server what hostile clients do, and prints what it did to the others: the worst latency of GET /readyz meanwhile, the memory taken at the
worst and kept afterwards. --only takes the cases with TEXT in their names, --long those too that take minutes, --stacks tells the functions that
stalls were spent in, --tries how often a case that missed is tried (3), --launcher takes a bundle that exists, --flag gives the server a flag.
--soak does nothing but random sequences of requests on kept connections, for as long as told; ten minutes find what short tests do not.
Ends with exit code 1 when anything is not as promised.`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      long: { type: 'boolean', default: false },
      stacks: { type: 'boolean', default: false },
      tries: { type: 'string', default: '3' },
      launcher: { type: 'string' },
      flag: { type: 'string', multiple: true, default: [] },
      soak: { type: 'string' },
      seed: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (values.soak !== undefined) {
    const seed = Number(values.seed ?? Date.now() % 1_000_000);
    return soakFor({ seconds: Number(values.soak), seed }, values.flag);
  }
  const { only, long, stacks } = values;
  const chosen = allCases.filter((hostile) => hostile.name.includes(only) && (long || hostile.long !== true));
  await using bundle = values.launcher === undefined ? await buildBundle() : undefined;
  const launcher = values.launcher ?? bundle?.launcher ?? '';
  await using suite = new Suite({ launcher, flags: values.flag, stacks }, Number(values.tries));
  let failed = 0;
  for (const hostile of chosen) {
    const { trial, attempts } = await suite.run(hostile);
    console.log(describeTrial(trial, attempts));
    if (trial.complaints.length > 0) failed += 1;
  }
  console.log(`${chosen.length - failed} as promised, ${failed} not`);
  return failed === 0 ? 0 : 1;
}

async function soakFor(options: SoakOptions, flags: readonly string[]): Promise<number> {
  await using server = await startServerTarget(flags);
  await untilReady(server.admin);
  const { summary, faults } = await soak(server.admin, options);
  console.log([summary, ...faults].join('\n'));
  return faults.length === 0 ? 0 : 1;
}

/** Until then it answers questions for its health with 500. */
async function untilReady({ url, tls }: Target): Promise<void> {
  const session = connect(url, tls);
  while ((await ask(session, { ':path': '/readyz' })) !== 200) await sleep(50);
  session.destroy();
}

process.exitCode = await main();
