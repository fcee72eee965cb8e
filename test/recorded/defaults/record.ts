// node test/record.ts defaults [SEED]: sends random objects of every kind to a reference server as dry runs and records
// accepted ones with the responses.
import type { JsonObject } from '../../../src/api/json/json.ts';
import { Player } from '../differential/player.ts';
import { type RecordedKind, recordedKinds } from './kinds.ts';
import { Random } from '../../../tools/random-objects/repeatable-random.ts';
import { inNamespace, type Recorded, send, writeRecorded } from './recording.ts';
import { vary } from './vary.ts';

const wantedPerKind = 14;
const attemptsPerKind = 150;

async function recordKind(player: Player, kind: RecordedKind, random: Random): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  for (let attempt = 0; attempt < attemptsPerKind && recorded.length < wantedPerKind; attempt += 1) {
    const object: JsonObject = attempt === 0 ? kind.sample : vary(random, kind.sample, kind.resource.schema);
    const answer = await send(player, kind, object);
    if (answer.code === 201) recorded.push({ object, answer });
  }
  return recorded;
}

const [url, kubeconfigPath, seed = '1'] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined) throw new Error('usage: record.ts URL KUBECONFIG [SEED]');
using player = await Player.connect({ url, kubeconfigPath });
await player.play(inNamespace);
const random = new Random(Number(seed));
for (const kind of recordedKinds()) {
  const recorded = await recordKind(player, kind, random);
  if (recorded.length === 0) throw new Error(`${kind.label}: nothing was taken`);
  writeRecorded(kind, recorded);
  process.stdout.write(`${kind.label}: ${recorded.length}\n`);
}
