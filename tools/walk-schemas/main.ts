// node tools/walk-schemas/main.ts [--every N] [--kinds PATTERN] [--values TEXTS] [--reference URL KUBECONFIG]: puts
// hostile values, or those of a list of JSON texts (`--values '["null","[]"]'`), at every place of every built-in kind,
// in every possible kind of write, and prints requests that cause a server error.
// With a reference it prints differing responses; the reference must run with all versions and without two plugins:
// --runtime-config=api/all=true --disable-admission-plugins=ServiceAccount,ResourceQuota
import { startTestServer } from '../../test/server-fixture.ts';
import { readArguments } from '../arguments.ts';
import { withAllVersions, withEverything } from './starts.ts';
import { type Choice, oneOf } from './cases.ts';
import { WalkedServer } from './walked-server.ts';

const { values, positionals } = readArguments({
  options: {
    every: { type: 'string', default: '100' },
    kinds: { type: 'string', default: '.' },
    values: { type: 'string' },
    reference: { type: 'string' },
  },
  allowPositionals: true,
});
await using server = await startTestServer(...(values.reference === undefined ? withEverything : withAllVersions));
using walked = await WalkedServer.connect(server);
const texts = values.values === undefined ? undefined : (JSON.parse(values.values) as string[]); // as documented
const choice: Choice = Object.assign(oneOf(Number(values.every)), texts === undefined ? {} : { texts });
const codes = new Map<number, number>();
const theirs = new Map<string, string>();
if (values.reference !== undefined) {
  using reference = await WalkedServer.connect({ url: values.reference, kubeconfigPath: positionals[0] ?? '' });
  for await (const { key, answer } of reference.walk(choice, new RegExp(values.kinds))) {
    theirs.set(key, JSON.stringify(answer));
  }
}
for await (const { key, answer } of walked.walk(choice, new RegExp(values.kinds))) {
  codes.set(answer.code, (codes.get(answer.code) ?? 0) + 1);
  const ours = JSON.stringify(answer);
  const expected = theirs.get(key);
  if (expected !== undefined && expected !== ours)
    process.stdout.write(`${key}\n  ours   ${ours}\n  theirs ${expected}\n`);
  else if (expected === undefined && answer.message.includes('see the log')) process.stdout.write(`${key}\n`);
}
process.stdout.write(`${JSON.stringify(Object.fromEntries(codes))}\n`);
