// node tools/compare-kinds/main.ts URL KUBECONFIG SUBJECT [--from SEED] [--count N] [--kinds PATTERN]: asks a reference
// server and Binnacle the same questions about every kind in every version, N a kind, and prints what they answer
// differently. Subjects: mistakes (up to three in an object), limits (of lengths, numbers and counts), changes (of one
// field at a time), empties (values that hold nothing), names, selectors (of fields). The reference runs with
// --feature-gates=AllAlpha=true,AllBeta=true --runtime-config=api/all=true
// --disable-admission-plugins=ServiceAccount,ResourceQuota
import type { JsonObject } from '../../src/api/json/json.ts';
import { startTestServer } from '../../test/server-fixture.ts';
import { type Random, seeded } from '../random-objects/random.ts';
import { allBases, type Base } from '../walk-schemas/bases.ts';
import { hashOf } from '../walk-schemas/cases.ts';
import { withEverything } from '../walk-schemas/starts.ts';
import { WalkedServer } from '../walk-schemas/walked-server.ts';
import { readArguments } from '../arguments.ts';
import { comparable } from './comparable.ts';
import { enriched } from './enriched.ts';
import type { Question, Subject } from './question.ts';
import { subjects } from './subjects.ts';

const { values, positionals } = readArguments(
  {
    options: {
      from: { type: 'string', default: '1' },
      count: { type: 'string', default: '50' },
      kinds: { type: 'string', default: '.' },
    },
    allowPositionals: true,
  },
  { needed: 2 },
);
const [url = '', kubeconfigPath = '', name = 'mistakes'] = positionals;

await using server = await startTestServer(...withEverything);
using ours = await WalkedServer.connect(server);
using theirs = await WalkedServer.connect({ url, kubeconfigPath });
const both = [theirs, ours] as const;

interface Sides {
  readonly theirs: JsonObject;
  readonly ours: JsonObject;
}

/** The object on both servers; undefined if one of them does not take it. */
async function stored(base: Base): Promise<Sides | undefined> {
  const kept = await Promise.all(
    both.map((side) => side.store(base).catch((error: unknown) => new Error(String(error)))),
  );
  const [there, here] = kept;
  if (there === undefined || here === undefined) process.stdout.write(`${base.label} is not served by both\n`);
  else if (there instanceof Error || here instanceof Error) {
    process.stdout.write(`${base.label} is not stored: ${JSON.stringify(base.object)}\n`);
    for (const side of kept) if (side instanceof Error) process.stdout.write(`  ${side.message}\n`);
  } else return { theirs: there, ours: here };
  await removed(base);
  return undefined;
}

async function removed(base: Base): Promise<void> {
  if (!base.resource.verbs.includes('delete')) return;
  for (const side of both) await side.remove(base).catch(() => undefined);
}

/** How many answers differ. */
async function compare(question: Question, sides: Sides): Promise<boolean> {
  const asking = [theirs.send(question.request(sides.theirs)), ours.send(question.request(sides.ours))];
  const [expected, found] = await Promise.all(
    asking.map((answer) => answer.then(comparable, (error: unknown) => [String(error)])),
  );
  if (expected === undefined || found === undefined || isSame(expected, found)) return false;
  const lines = [
    question.key,
    ...expected.filter((line) => !found.includes(line)).map((line) => `  there: ${line}`),
    ...found.filter((line) => !expected.includes(line)).map((line) => `  here:  ${line}`),
  ];
  if (lines.length === 1) lines.push(...expected.map((line) => `  order there: ${line}`));
  process.stdout.write(`${lines.join('\n')}\n`);
  return true;
}

/** Errors of the entries of a map are in random order there. */
function isSame(expected: readonly string[], found: readonly string[]): boolean {
  if (expected.join('\n') === found.join('\n')) return true;
  const ofMap = expected.some((line) => /"field":"[^"]*\[[^\]\d]/.test(line));
  return ofMap && expected.toSorted().join('\n') === found.toSorted().join('\n');
}

async function compareKind(subject: Subject, base: Base, random: Random): Promise<readonly [number, number]> {
  const start = subject.isEnriched ? await enriched(base, ours, random) : base;
  const sides = (await stored(start)) ?? (start === base ? undefined : await stored(base));
  if (sides === undefined) return [0, 0];
  let [asked, differing] = [0, 0];
  const waiting: Promise<boolean>[] = [];
  const settle = async (): Promise<void> => {
    differing += (await Promise.all(waiting.splice(0))).filter(Boolean).length;
  };
  for (const question of subject.questions(start, random, Number(values.count))) {
    asked += 1;
    waiting.push(compare(question, sides));
    if (waiting.length === 16) await settle();
  }
  await settle();
  await removed(start);
  return [asked, differing];
}

const subject = subjects[name];
if (subject === undefined) throw new Error(`no subject ${name}: ${Object.keys(subjects).join(', ')}`);
let [asked, differing] = [0, 0];
for (const base of allBases().filter(({ label }) => new RegExp(values.kinds).test(label))) {
  const [more, different] = await compareKind(subject, base, seeded(Number(values.from) + hashOf(base.label)));
  asked += more;
  differing += different;
}
process.stdout.write(`${asked} asked, ${differing} differ\n`);
