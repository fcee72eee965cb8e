// Plays definitions that are deleted and created again to a reference server, and records its responses:
// node test/definitions/record-recreated.ts URL KUBECONFIG
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { playRecreated } from './play-recreated.ts';

const [url, kubeconfigPath] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined) throw new Error('usage: record-recreated.ts URL KUBECONFIG');
// The reference serves and stops serving some seconds after it says so.
const played = await playRecreated({ url, kubeconfigPath }, { settleMs: 4000 });
const file = join(import.meta.dirname, 'testdata', 'recreated.json');
writeFileSync(file, `${JSON.stringify(played, undefined, 1)}\n`);
process.stdout.write(`${Object.keys(played).length} steps\n`);
