// Records the owners that a reference server keeps of values that no longer fit:
// node test/definitions/record-mismatches.ts URL KUBECONFIG
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf, playMismatchs } from './play-mismatches.ts';

const [url, kubeconfigPath] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined) throw new Error('usage: record-mismatches.ts URL KUBECONFIG');
const played = await playMismatchs({ url, kubeconfigPath });
const lines = Object.entries(played).map(([step, answer]) => `${digestOf(answer)} ${step}\n`);
writeFileSync(join(import.meta.dirname, 'testdata', 'mismatches.txt'), lines.join(''));
process.stdout.write(`${lines.length} steps\n`);
