// Plays scripts on kube-apiserver and on Binnacle, and prints the steps that are answered differently:
// node tools/compare-requests/main.ts [--record] [--recorded] [--etcd] [--all] [SCRIPT ...]
// `--record` also writes the answers of kube-apiserver, which a test replays; `--recorded` compares with those without
// starting it; with `--etcd` Binnacle stores in etcd as well; `--all` shows known differences too. Needs the programs
// of the reference.
import type { JsonValue } from '../../src/api/json/json.ts';
import { EtcdProcess } from '../../test/etcd-process.ts';
import { inParallel } from '../../test/in-parallel.ts';
import { startReference } from '../../test/reference-server.ts';
import { readArguments } from '../arguments.ts';
import { type Address, Connection } from './connection.ts';
import { differences } from './differences.ts';
import { knownDifference } from './known-differences.ts';
import { type Pace, play } from './play.ts';
import { readRecording, writeRecording } from '../../test/recorded/requests/recording.ts';
import type { StepResponse, Script, Step } from './script.ts';
import { scripts } from './scripts/all.ts';
import { ownPace, startOwn } from './own-server.ts';

const referencePace: Pace = { settleMs: 700, quietMs: 1500 };

type Responses = ReadonlyMap<string, ReadonlyMap<string, StepResponse>>;

const { values, positionals } = readArguments({
  allowPositionals: true,
  options: {
    record: { type: 'boolean', default: false },
    recorded: { type: 'boolean', default: false },
    etcd: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
  },
});
const chosen = scripts.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

async function playAll(address: Address, pace: Pace): Promise<Responses> {
  using connection = await Connection.open(address);
  const all = new Map<string, ReadonlyMap<string, StepResponse>>();
  await inParallel(chosen, 8, async (script) => all.set(script.name, await play(script, { connection, pace })));
  return all;
}

async function playReference(): Promise<Responses> {
  await using etcd = await EtcdProcess.start();
  await using reference = await startReference(etcd.url, ['--allow-privileged']);
  return await playAll(reference, referencePace);
}

async function playOwn(): Promise<Responses> {
  await using etcd = values.etcd ? await EtcdProcess.start() : undefined;
  await using server = await startOwn(etcd?.url);
  return await playAll(server, ownPace);
}

function printStep({ method, path, body, form = 'json', contentType = '' }: Step): void {
  process.stdout.write(`  ${method} ${path} ${form} ${contentType} ${(JSON.stringify(body) ?? '').slice(0, 600)}\n`);
}

/** Prints what differs, and returns how many steps do. */
function compare(
  { name, steps }: Script,
  expected: ReadonlyMap<string, StepResponse>,
  actual: ReadonlyMap<string, StepResponse>,
): number {
  let different = 0;
  for (const step of steps) {
    // Answers are data.
    const [there, here] = [expected, actual].map((answers) => (answers.get(step.name) ?? null) as JsonValue);
    const lines = differences(there ?? null, here ?? null);
    const key = `${name}: ${step.name}`;
    const known = knownDifference(key);
    if (lines.length === 0 && known !== undefined) process.stdout.write(`${key}: no longer differs\n`);
    if (lines.length === 0) continue;
    different += 1;
    process.stdout.write(`${key}${known === undefined ? '' : `: known: ${known.reason}`}\n`);
    if (known !== undefined && !values.all) continue;
    printStep(step);
    process.stdout.write(lines.map((line) => `    ${line}\n`).join(''));
  }
  return different;
}

const expected = values.recorded
  ? new Map(chosen.map(({ name }) => [name, readRecording(name)]))
  : await playReference();
if (values.record) for (const [script, answers] of expected) writeRecording(script, answers);
const actual = await playOwn();
const counts = chosen.map((script) => ({
  name: script.name,
  steps: script.steps.length,
  different: compare(script, expected.get(script.name) ?? new Map(), actual.get(script.name) ?? new Map()),
}));
for (const { name, steps, different } of counts) process.stdout.write(`${name}: ${steps} steps, ${different} differ\n`);
const sum = (of: 'steps' | 'different'): number => counts.reduce((total, count) => total + count[of], 0);
process.stdout.write(`${sum('steps')} steps of ${chosen.length} scripts, ${sum('different')} differ\n`);
