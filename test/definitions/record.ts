// Plays requests about converted objects to a reference server, and records its responses:
// node test/definitions/record.ts URL KUBECONFIG [PLAY ...]
import { writeFileSync } from 'node:fs';
import { plays, recordedForm, recordingPath } from './plays.ts';

const [url, kubeconfigPath, ...wanted] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined) throw new Error('usage: record.ts URL KUBECONFIG [PLAY ...]');
for (const [name, play] of Object.entries(plays)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const played = await play({ url, kubeconfigPath }, { settleMs: 2000 });
  const lines = Object.entries(played).map(
    ([step, answer]) => `  ${JSON.stringify(step)}: ${JSON.stringify(recordedForm(name, answer))}`,
  );
  writeFileSync(recordingPath(name), `{\n${lines.join(',\n')}\n}\n`);
  process.stdout.write(`${name}: ${lines.length} steps\n`);
}
