// Does random deeds on kube-apiserver with kube-controller-manager and on Binnacle, and prints the namespaces that end
// differently: node tools/fuzz-controllers/main.ts [--from SEED] [--count N] [--server reference|here] [SUBJECT ...]
// What the reference makes of them is recorded in test/recorded/controllers; `here` compares with that.
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ApiClient } from '../../test/api-client.ts';
import { readArguments } from '../arguments.ts';
import { deedsOf, playSubject, settledOutcomes } from './play.ts';
import { readRecorded, writeRecorded } from '../../test/recorded/controllers/random-deeds.ts';
import { startOwnCluster, startReferenceCluster, type Started } from './servers.ts';
import type { Subject } from './subject.ts';
import { subjects } from './subjects.ts';

const settledMs = 6000;

const { values, positionals } = readArguments({
  allowPositionals: true,
  options: {
    from: { type: 'string', default: '0' },
    count: { type: 'string', default: '40' },
    server: { type: 'string', default: 'both' },
  },
});
const seeds = Array.from({ length: Number(values.count) }, (_, index) => Number(values.from) + index);

for (const subject of subjects) {
  if (positionals.length > 0 && !positionals.includes(subject.name)) continue;
  if (values.server !== 'here') writeRecorded(subject, await outcomesOf(subject, await startReferenceCluster(), 4000));
  if (values.server !== 'reference') report(subject, await outcomesOf(subject, await startOwnCluster(), 0));
}

async function outcomesOf(subject: Subject, cluster: Started, warmUpMs: number) {
  await using started = cluster;
  using client = await ApiClient.connect(started.server);
  await sleep(warmUpMs);
  await playSubject(client, subject, seeds);
  return await settledOutcomes(client, subject, seeds, subject.restMs ?? settledMs);
}

function report(subject: Subject, actual: Awaited<ReturnType<typeof outcomesOf>>): void {
  let different = 0;
  for (const [seed, expected] of readRecorded(subject)) {
    const found = actual.get(seed);
    if (found === undefined || isDeepStrictEqual(expected, found)) continue;
    different += 1;
    process.stdout.write(`${subject.name}, seed ${seed}\n`);
    for (const step of deedsOf(subject, seed).steps) process.stdout.write(`    ${JSON.stringify(step)}\n`);
    for (const path of Object.keys(expected)) {
      if (isDeepStrictEqual(expected[path], found[path])) continue;
      process.stdout.write(`  ${path}\n  reference ${JSON.stringify(expected[path])}\n`);
      process.stdout.write(`  here      ${JSON.stringify(found[path])}\n`);
    }
  }
  process.stdout.write(`${subject.name}: ${different} of ${seeds.length} namespaces end differently\n`);
}
