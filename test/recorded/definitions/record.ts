// Plays requests about converted objects to a reference server, and records its responses:
// node test/record.ts definitions [PLAY ...]
import { writeResponses } from '../recording.ts';
import { plays, recordedForm } from './plays.ts';

const [url, kubeconfigPath, ...wanted] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined) throw new Error('usage: record.ts URL KUBECONFIG [PLAY ...]');
for (const [name, play] of Object.entries(plays)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const played = await play({ url, kubeconfigPath }, { settleMs: 2000 });
  const answers = Object.entries(played).map(([step, answer]) => [step, recordedForm(name, answer)] as const);
  writeResponses('definitions', name, answers);
  process.stdout.write(`${name}: ${answers.length} steps\n`);
}
