// node test/record.ts hostile: sends a part of the walk of `tools/walk-schemas` to a reference server and records its
// responses.
import { oddRequests } from '../../../tools/walk-schemas/odd-requests.ts';
import {
  isWorthKeeping,
  recordedChoice,
  type RecordedCase,
  shortened,
  writeOddRequests,
  writeValues,
} from './recording.ts';
import { WalkedServer } from '../../../tools/walk-schemas/walked-server.ts';

const [url, kubeconfigPath] = process.argv.slice(2);
if (url === undefined || kubeconfigPath === undefined) throw new Error('usage: record.ts URL KUBECONFIG');
using reference = await WalkedServer.connect({ url, kubeconfigPath });
const answers = await reference.ask(oddRequests);
writeOddRequests(new Map([...answers].map(([name, answer]) => [name, shortened(answer)])));
const cases: RecordedCase[] = [];
for await (const { base, id, key, answer } of reference.walk(recordedChoice)) {
  if (isWorthKeeping(key, answer)) cases.push({ label: base.label, id, answer: shortened(answer) });
}
writeValues(cases);
process.stdout.write(`${answers.size} odd requests, ${cases.length} values\n`);
