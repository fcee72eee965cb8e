// Sends random definitions and instances to a reference server and to Binnacle, and prints the first response of each
// seed that differs: node tools/fuzz-definitions/main.ts URL KUBECONFIG [--from SEED] [--count N] [--record]
// `--record` writes the digests that the test replays instead. The reference runs without other definitions.
import { ApiClient } from '../../test/api-client.ts';
import { inParallel } from '../../test/in-parallel.ts';
import { startTestServer } from '../../test/server-fixture.ts';
import { readArguments } from '../arguments.ts';
import { type FuzzPace, playDefinition, type Played } from './play.ts';
import { digestOf, writeRandomDefinitions } from '../../test/recorded/definitions/random-definitions.ts';

const { values, positionals } = readArguments(
  {
    allowPositionals: true,
    options: {
      from: { type: 'string', default: '0' },
      count: { type: 'string', default: '150' },
      record: { type: 'boolean', default: false },
    },
  },
  { needed: 2 },
);
const [url = '', kubeconfigPath = ''] = positionals;
const seeds = Array.from({ length: Number(values.count) }, (_, index) => Number(values.from) + index);

async function playAll(server: { readonly url: string; readonly kubeconfigPath: string }, pace: FuzzPace) {
  using client = await ApiClient.connect(server);
  const all = new Map<number, readonly Played[]>();
  await inParallel(seeds, 12, async (seed) => all.set(seed, await playDefinition(client, seed, pace)));
  return all;
}

const expected = await playAll({ url, kubeconfigPath }, { settleMs: 1500 });
if (values.record) {
  writeRandomDefinitions(seeds.map((seed) => [seed, expected.get(seed) ?? []]));
} else {
  await using server = await startTestServer();
  const actual = await playAll(server, { settleMs: 30 });
  let different = 0;
  for (const [seed, steps] of expected) {
    const found = actual.get(seed) ?? [];
    const at = steps.findIndex(({ answer }, index) => digestOf(answer) !== digestOf(found[index]?.answer ?? null));
    const step = steps[at];
    if (step === undefined) continue;
    different += 1;
    process.stdout.write(`seed ${seed}, step ${at}: ${step.request}\n`);
    process.stdout.write(
      `  reference ${JSON.stringify(step.answer)}\n  here      ${JSON.stringify(found[at]?.answer)}\n`,
    );
  }
  process.stdout.write(`${different} of ${seeds.length} definitions differ\n`);
}
