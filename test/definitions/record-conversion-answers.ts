// Plays requests while a conversion webhook answers in unusual ways to a reference server, and records its responses:
// node test/definitions/record-conversion-answers.ts URL KUBECONFIG
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { playConversionAnswers } from './play-conversion-answers.ts';

const [url, kubeconfigPath] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined)
  throw new Error('usage: record-conversion-answers.ts URL KUBECONFIG');
const played = await playConversionAnswers({ url, kubeconfigPath }, { settleMs: 2000 });
const steps = new Map<string, string[]>();
for (const [step, answer] of Object.entries(played)) steps.set(answer, [...(steps.get(answer) ?? []), step]);
const lines = [...steps].map(([answer, told]) => `  ${JSON.stringify(answer)}: ${JSON.stringify(told)}`);
writeFileSync(join(import.meta.dirname, 'testdata', 'conversion-answers.json'), `{\n${lines.join(',\n')}\n}\n`);
process.stdout.write(`${Object.keys(played).length} steps\n`);
