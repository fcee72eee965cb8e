// Plays requests while a conversion webhook fails to a reference server, and records its responses:
// node test/definitions/record-failing-writes.ts URL KUBECONFIG
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { playFailingWrites } from './play-failing-writes.ts';

const [url, kubeconfigPath] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined)
  throw new Error('usage: record-failing-writes.ts URL KUBECONFIG');
const played = await playFailingWrites({ url, kubeconfigPath }, { settleMs: 2000 });
const lines = Object.entries(played).map(([step, answer]) => `  ${JSON.stringify(step)}: ${JSON.stringify(answer)}`);
writeFileSync(join(import.meta.dirname, 'testdata', 'failing-writes.json'), `{\n${lines.join(',\n')}\n}\n`);
process.stdout.write(`${lines.length} steps\n`);
