// node test/record.ts custom-apply [SEQUENCES | compare FIRST_SEED SEQUENCES]: defines custom kinds in a fresh
// reference server, sends random applies, merge patches and replacements of their objects, changing some of the schemas
// in between, and records digests of the responses; or shows where the field manager of this project differs.
import { isDeepStrictEqual } from 'node:util';
import { customKinds, type CustomKind } from './definitions.ts';
import type { Kept } from './keeper.ts';
import { type RecordedSequence, writeSequences } from '../recorded-sequences.ts';
import { comparable, digestOfKept, replayed } from './recording.ts';
import { CustomReference } from './reference.ts';
import { customSequence, phasesOf } from './sequence.ts';

const [url, kubeconfigPath, mode = '20', first = '1', count = '10'] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined) {
  throw new Error('usage: record.ts URL KUBECONFIG [SEQUENCES | compare FIRST_SEED SEQUENCES]');
}
using reference = await CustomReference.connect({ url, kubeconfigPath });
const isComparison = mode === 'compare';
const firstSeed = isComparison ? Number(first) : 1;
const seeds = Array.from({ length: Number(isComparison ? count : mode) }, (_, index) => firstSeed + index);
const recorded: RecordedSequence[] = [];
const codes = new Map<number, number>();
let different = 0;
for (const custom of customKinds) {
  const answers = await answersOf(custom);
  for (const seed of seeds) {
    const kept = answers.get(seed) ?? [];
    for (const { code } of kept) codes.set(code, (codes.get(code) ?? 0) + 1);
    if (isComparison) await show(custom, seed, kept);
    else recorded.push({ label: custom.label, seed, digests: kept.map(digestOfKept) });
  }
}
if (!isComparison) writeSequences('custom-sequences', recorded);
process.stdout.write(`${different} sequences differ; codes ${JSON.stringify([...codes])}\n`);

/** All sequences complete a phase before the schema changes. */
async function answersOf(custom: CustomKind): Promise<ReadonlyMap<number, readonly Kept[]>> {
  const answers = new Map<number, Kept[]>(seeds.map((seed) => [seed, []]));
  for (let phase = 0; phase < phasesOf(custom); phase += 1) {
    await reference.define(custom, phase);
    for (const seed of seeds) {
      for (const write of customSequence(custom, seed)[phase] ?? []) {
        answers.get(seed)?.push(await reference.write(custom, seed, write));
      }
    }
  }
  for (const seed of seeds) await reference.remove(custom, seed);
  return answers;
}

async function show(custom: CustomKind, seed: number, theirs: readonly Kept[]): Promise<void> {
  const own = await replayed(custom, seed, (index) => theirs[index]?.code === 422);
  const index = theirs.findIndex(
    (answer, at) => answer.code !== 422 && !isDeepStrictEqual(comparable(answer), comparable(own[at] ?? answer)),
  );
  if (index === -1) return;
  different += 1;
  const write = customSequence(custom, seed).flat()[index];
  const lineOf = (kept: Kept | undefined): string => JSON.stringify(kept === undefined ? null : comparable(kept));
  process.stdout.write(`${custom.label} ${seed} write ${index}: ${JSON.stringify(write)}\n`);
  process.stdout.write(`  before ${lineOf(theirs[index - 1])}\n`);
  process.stdout.write(`  reference ${lineOf(theirs[index])}\n  here      ${lineOf(own[index])}\n`);
}
