// node test/record.ts apply [SEQUENCES]: sends random sequences of applies, updates and patches to a reference server
// and records digests of its responses; node test/record.ts apply compare FIRST_SEED SEQUENCES sends them to a server
// of this project too and shows differences.
import { isDeepStrictEqual } from 'node:util';
import { Player } from '../differential/player.ts';
import { startTestServer } from '../../server-fixture.ts';
import { inNamespace } from '../defaults/recording.ts';
import { answersTo, digestOf } from './answers.ts';
import { type RecordedSequence, writeSequences } from './recorded-sequences.ts';
import { chosenKinds, sequenceOf } from './sequence.ts';

const [url, kubeconfigPath, mode = '1200', first = '1', count = '100'] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined) {
  throw new Error('usage: record.ts URL KUBECONFIG [SEQUENCES | compare FIRST_SEED SEQUENCES]');
}
using reference = await Player.connect({ url, kubeconfigPath });
await reference.play(inNamespace);
if (mode === 'compare') await compare(reference, Number(first), Number(count));
else await record(reference, Number(mode));

async function record(player: Player, sequences: number): Promise<void> {
  const kinds = chosenKinds();
  const recorded: RecordedSequence[] = [];
  for (let seed = 1; seed <= sequences; seed += 1) {
    const kind = kinds[seed % kinds.length];
    if (kind === undefined) throw new Error('no kinds');
    const answers = await answersTo(player, kind, seed);
    recorded.push({ label: kind.label, seed, digests: answers.map(digestOf) });
  }
  writeSequences('sequences', recorded);
}

async function compare(player: Player, firstSeed: number, sequences: number): Promise<void> {
  const kinds = chosenKinds();
  await using server = await startTestServer();
  using ours = await Player.connect(server);
  await ours.play(inNamespace);
  let different = 0;
  const codes = new Map<number, number>();
  for (let seed = firstSeed; seed < firstSeed + sequences; seed += 1) {
    const kind = kinds[seed % kinds.length];
    if (kind === undefined) throw new Error('no kinds');
    const [theirs, own] = await Promise.all([answersTo(player, kind, seed), answersTo(ours, kind, seed)]);
    for (const { code } of theirs) codes.set(code, (codes.get(code) ?? 0) + 1);
    const index = theirs.findIndex((answer, step) => !isDeepStrictEqual(answer, own[step]));
    if (index === -1) continue;
    different += 1;
    const step = sequenceOf(kind, seed)[index];
    process.stdout.write(`${kind.label} ${seed} step ${index}: ${JSON.stringify(step)}\n`);
    process.stdout.write(`  before ${JSON.stringify(theirs[index - 1])}\n`);
    process.stdout.write(`  reference ${JSON.stringify(theirs[index])}\n  here      ${JSON.stringify(own[index])}\n`);
  }
  process.stdout.write(`${different} of ${sequences} sequences differ; codes ${JSON.stringify([...codes])}\n`);
}
