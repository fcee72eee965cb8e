// Plays all scenarios against a reference server and records its responses: node test/record.ts differential
// [SCENARIO ...] Its plugins see changes slightly later than clients: hence the pause between requests.
import { setTimeout as sleep } from 'node:timers/promises';
import { Player } from './player.ts';
import { writeRecording } from './recording.ts';
import { scenarios } from './scenarios/all.ts';

const pauseMs = 60;
const [url, kubeconfigPath, ...names] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined)
  throw new Error('usage: record.ts URL KUBECONFIG [SCENARIO ...]');
using player = await Player.connect({ url, kubeconfigPath });
for (const scenario of scenarios.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const answers = await player.play(scenario, () => sleep(pauseMs));
  writeRecording(scenario.name, answers);
  process.stdout.write(`${scenario.name}: ${answers.size}\n`);
}
