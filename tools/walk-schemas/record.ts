// node tools/walk-schemas/record.ts URL KUBECONFIG: sends a part of the walk to a reference and records its responses
// in testdata. It must be fresh and run as described in main.ts.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { oddRequests } from './odd-requests.ts';
import { isWorthKeeping, recordedChoice, type RecordedCase, shortened, writeAnswers, writeCases } from './recording.ts';
import { WalkedServer } from './walked-server.ts';

const [url, kubeconfigPath] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined) throw new Error('usage: record.ts URL KUBECONFIG');
mkdirSync(join(import.meta.dirname, 'testdata'), { recursive: true });
using reference = await WalkedServer.connect({ url, kubeconfigPath });
const answers = await reference.ask(oddRequests);
writeAnswers(new Map([...answers].map(([name, answer]) => [name, shortened(answer)])));
const cases: RecordedCase[] = [];
for await (const { base, id, key, answer } of reference.walk(recordedChoice)) {
  if (isWorthKeeping(key, answer)) cases.push({ label: base.label, id, answer: shortened(answer) });
}
writeCases(cases);
process.stdout.write(`${answers.size} odd requests, ${cases.length} values\n`);
