// Plays requests through a conversion that loses fields to a reference server, and records its responses:
// node test/definitions/record-lost-fields.ts URL KUBECONFIG
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { playLostFields } from './play-lost-fields.ts';

const [url, kubeconfigPath] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined) throw new Error('usage: record-lost-fields.ts URL KUBECONFIG');
const played = await playLostFields({ url, kubeconfigPath }, { settleMs: 2000 });
const lines = Object.entries(played).map(([step, answer]) => `  ${JSON.stringify(step)}: ${JSON.stringify(answer)}`);
writeFileSync(join(import.meta.dirname, 'testdata', 'lost-fields.json'), `{\n${lines.join(',\n')}\n}\n`);
process.stdout.write(`${lines.length} steps\n`);
