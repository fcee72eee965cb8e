// Sends random requests through all versions of random definitions to a reference server and to Binnacle, and prints
// what differs first in each seed: node tools/compare-versions/main.ts URL KUBECONFIG [--from SEED] [--count N]
// `--record` writes the digests that the test replays instead.
import { isJsonObject, type JsonValue } from '../../src/api/json/json.ts';
import { ApiClient } from '../../test/api-client.ts';
import { inParallel } from '../../test/in-parallel.ts';
import { startTestServer } from '../../test/server-fixture.ts';
import { digestOf } from '../../test/recorded/definitions/random-definitions.ts';
import { readArguments } from '../arguments.ts';
import { isFaultOfReference, type Played, type PlayOptions, playVersions } from './play.ts';
import { writeRandomVersions } from '../../test/recorded/definitions/random-versions.ts';

const { values, positionals } = readArguments(
  {
    allowPositionals: true,
    options: {
      from: { type: 'string', default: '0' },
      count: { type: 'string', default: '60' },
      record: { type: 'boolean', default: false },
    },
  },
  { needed: 2 },
);
const [url = '', kubeconfigPath = ''] = positionals;
const seeds = Array.from({ length: Number(values.count) }, (_, index) => Number(values.from) + index);

/** Definitions of other runs may still be on the reference server. */
const run = `r${Date.now().toString(36)}x`;

type Plays = ReadonlyMap<number, readonly Played[]>;

async function playAll(
  server: { readonly url: string; readonly kubeconfigPath: string },
  optionsOf: (seed: number) => PlayOptions,
): Promise<Plays> {
  using client = await ApiClient.connect(server);
  const all = new Map<number, readonly Played[]>();
  await inParallel(seeds, 12, async (seed) => all.set(seed, await playVersions(client, seed, optionsOf(seed))));
  return all;
}

function isFault(played: Played | undefined): boolean {
  return played !== undefined && isFaultOfReference(played);
}

/** `path: there / here` */
function differences(there: JsonValue, here: JsonValue, path = ''): readonly string[] {
  if (JSON.stringify(there) === JSON.stringify(here)) return [];
  if (isJsonObject(there) && isJsonObject(here)) {
    const keys = [...new Set([...Object.keys(there), ...Object.keys(here)])];
    return keys.flatMap((key) => differences(there[key] ?? null, here[key] ?? null, `${path}.${key}`));
  }
  if (Array.isArray(there) && Array.isArray(here) && there.length === here.length) {
    return there.flatMap((item, index) => differences(item, here[index] ?? null, `${path}[${index}]`));
  }
  return [`${path}: ${JSON.stringify(there)} / ${JSON.stringify(here)}`];
}

/** What differs first in each seed. */
function report(expected: Plays, actual: Plays): void {
  const all = [...expected].map(([seed, played]) => {
    const found = actual.get(seed) ?? [];
    const different = played.filter((step, at) => !isFaultOfReference(step) && isDifferent(step, found[at]));
    const at = played.findIndex((step) => step === different[0]);
    for (const step of different.slice(0, 1)) {
      process.stdout.write(`seed ${seed}, step ${at}: ${step.request}\n`);
      for (const line of differences(step.answer, found[at]?.answer ?? null)) process.stdout.write(`  ${line}\n`);
    }
    return { steps: played.length, different: different.length };
  });
  const sum = (of: 'steps' | 'different'): number => all.reduce((total, each) => total + each[of], 0);
  process.stdout.write(`${sum('different')} of ${sum('steps')} steps differ\n`);
}

function isDifferent({ answer }: Played, own: Played | undefined): boolean {
  return digestOf(answer) !== digestOf(own?.answer ?? null);
}

const expected = await playAll({ url, kubeconfigPath }, () => ({ run }));
if (values.record) {
  writeRandomVersions([...expected].toSorted(([a], [b]) => a - b));
} else {
  await using server = await startTestServer();
  const isLeftOut = (seed: number) => (at: number) => isFault(expected.get(seed)?.[at]);
  report(expected, await playAll(server, (seed) => ({ run, isLeftOut: isLeftOut(seed) })));
}
