// Sends random requests to kube-apiserver and to Binnacle under several sets of admission plugins, and prints where
// their responses differ: node tools/fuzz-admission/main.ts [--from SEED] [--count N] [--record] [CONFIGURATION ...]
// `--record` writes the digests that the test replays instead.
import { setTimeout as sleep } from 'node:timers/promises';
import { Player } from '../../test/recorded/differential/player.ts';
import { EtcdProcess } from '../../test/etcd-process.ts';
import { inParallel } from '../../test/in-parallel.ts';
import { startReference } from '../../test/reference-server.ts';
import { readArguments } from '../arguments.ts';
import { configurations, type FuzzedConfiguration } from './configurations.ts';
import { startFuzzedServer } from './fuzzed-server.ts';
import { type Played, playSeed, prepare } from './play.ts';
import { digestOf, writeRandom } from '../../test/recorded/admission/random-requests.ts';

/** Plugins of the reference hear of changes a little later than clients do. */
const settleMs = 700;
/** So long nobody hears of new policies. */
const policiesMs = 3000;

const { values, positionals } = readArguments({
  allowPositionals: true,
  options: {
    from: { type: 'string', default: '0' },
    count: { type: 'string', default: '40' },
    record: { type: 'boolean', default: false },
  },
});
const seeds = Array.from({ length: Number(values.count) }, (_, index) => Number(values.from) + index);

for (const configuration of configurations) {
  if (positionals.length > 0 && !positionals.includes(configuration.name)) continue;
  const expected = await playOnReference(configuration);
  if (values.record) {
    writeRandom(
      configuration.name,
      seeds.map((seed) => [seed, expected.get(seed) ?? []]),
    );
    continue;
  }
  await using server = await startFuzzedServer(configuration);
  report(configuration, expected, await playAll(server, 0));
}

async function playOnReference({ enabled, configFile }: FuzzedConfiguration) {
  await using etcd = await EtcdProcess.start();
  await using reference = await startReference(etcd.url, [
    '--allow-privileged',
    `--enable-admission-plugins=${enabled.join(',')}`,
    ...(configFile === undefined ? [] : [`--admission-control-config-file=${configFile}`]),
  ]);
  return await playAll(reference, settleMs);
}

async function playAll(server: { readonly url: string; readonly kubeconfigPath: string }, pauseMs: number) {
  using player = await Player.connect(server);
  await prepare(player, pauseMs > 0 ? policiesMs : 200);
  const all = new Map<number, readonly Played[]>();
  await inParallel(seeds, 8, async (seed) => all.set(seed, await playSeed(player, seed, () => sleep(pauseMs))));
  return all;
}

function report(
  { name }: FuzzedConfiguration,
  expected: ReadonlyMap<number, readonly Played[]>,
  actual: ReadonlyMap<number, readonly Played[]>,
): void {
  let requests = 0;
  let different = 0;
  for (const [seed, steps] of expected) {
    requests += steps.length;
    const found = actual.get(seed) ?? [];
    for (const [at, { step, answer }] of steps.entries()) {
      const other = found[at]?.answer;
      if (digestOf(answer) === digestOf(other)) continue;
      different += 1;
      const request = `${step.method} ${step.path} ${JSON.stringify(step.headers ?? {})} ${JSON.stringify(step.body)}`;
      process.stdout.write(`${name}, seed ${seed}, request ${at}: ${request}\n`);
      process.stdout.write(`  reference ${JSON.stringify(answer)}\n  here      ${JSON.stringify(other)}\n`);
      break;
    }
  }
  process.stdout.write(`${name}: ${different} of ${expected.size} seeds differ (${requests} requests)\n`);
}
