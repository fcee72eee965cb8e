// Plays the failure of a conversion webhook to a reference server, and records its responses:
// node test/definitions/record-outage.ts URL KUBECONFIG
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { playOutage } from './play-outage.ts';

const [url, kubeconfigPath] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined) throw new Error('usage: record-outage.ts URL KUBECONFIG');
// The reference tries again after some seconds.
const played = await playOutage({ url, kubeconfigPath }, { settleMs: 5000 });
const file = join(import.meta.dirname, 'testdata', 'outage.json');
writeFileSync(file, `${JSON.stringify(played, undefined, 1)}\n`);
process.stdout.write(`${Object.keys(played).length} steps\n`);
