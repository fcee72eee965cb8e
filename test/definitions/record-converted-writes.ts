// Plays writes through lossy, odd and failing conversions to a reference server, and records its responses:
// node test/definitions/record-converted-writes.ts URL KUBECONFIG
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { playConvertedWrites } from './play-converted-writes.ts';

const [url, kubeconfigPath] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined)
  throw new Error('usage: record-converted-writes.ts URL KUBECONFIG');
const played = await playConvertedWrites({ url, kubeconfigPath }, { settleMs: 2000 });
const lines = Object.entries(played).map(([step, answer]) => `  ${JSON.stringify(step)}: ${JSON.stringify(answer)}`);
writeFileSync(join(import.meta.dirname, 'testdata', 'converted-writes.json'), `{\n${lines.join(',\n')}\n}\n`);
process.stdout.write(`${lines.length} steps\n`);
