/*
 * Compares strategic merge patches with the reference's own libraries. The oracle is built first: copy `oracle/main.go` beside
 * a go.mod that requires k8s.io/kubernetes 1.37.1 and run `go build -o ORACLE .` there.
 *
 *   node tools/compare-patches/main.ts ORACLE [SEED] [COUNT]          prints differences
 *   node tools/compare-patches/main.ts ORACLE SEED COUNT --record     writes the recorded cases of the unit tests
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { parseJson } from '../../src/codec/json.ts';
import { schemaByName } from '../../src/schema/kubernetes/definitions.ts';
import { isJsonObject, type JsonObject } from '../../src/api/json.ts';
import { generate, generatePatch, pick, type Random, seeded } from './generate.ts';
import { differenceOf, type RecordedPatch } from './recorded-patch.ts';

const kinds = [
  'io.k8s.api.core.v1.Pod',
  'io.k8s.api.core.v1.Pod',
  'io.k8s.api.core.v1.Service',
  'io.k8s.api.core.v1.ServiceAccount',
  'io.k8s.api.core.v1.Node',
  'io.k8s.api.core.v1.ConfigMap',
  'io.k8s.api.core.v1.PersistentVolumeClaim',
  'io.k8s.api.apps.v1.Deployment',
  'io.k8s.api.apps.v1.Deployment',
  'io.k8s.api.networking.v1.Ingress',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
];

const [, , oracle, seedText = '1', countText = '1000', record] = process.argv;
if (oracle === undefined) throw new Error('usage: main.ts ORACLE [SEED] [COUNT] [--record]');
const seed = Number(seedText);
const maxRecordedLength = 1500;

interface Question {
  readonly kind: string;
  readonly original: JsonObject;
  readonly patch: JsonObject;
}

function question(random: Random): Question {
  const kind = pick(random, kinds);
  const schema = schemaByName(kind);
  if (schema === undefined) throw new Error(`no schema ${kind}`);
  const original = generate(schema, random);
  if (!isJsonObject(original)) throw new Error('an object is an object');
  return { kind, original, patch: generatePatch(schema, random) };
}

const random = seeded(seed);
const questions = Array.from({ length: Number(countText) }, () => question(random));
const input = questions.map((each) => JSON.stringify({ ...each, format: 'strategic' })).join('\n');
const run = spawnSync(oracle, { input, encoding: 'utf8', maxBuffer: 2 ** 30 });
if (run.status !== 0) throw new Error(run.stderr);
const answers = run.stdout.trim().split('\n');

const recorded: RecordedPatch[] = [];
const counts = { equal: 0, error: 0, different: 0, ambiguous: 0, skipped: 0 };
for (const [index, { kind, patch }] of questions.entries()) {
  // What the oracle writes is a recorded answer.
  const answer = parseJson(Buffer.from(answers[index] ?? '')).value as unknown as RecordedPatch;
  const each: RecordedPatch = { ...answer, kind, patch };
  const verdict = judge(each);
  counts[verdict] += 1;
  if (verdict === 'equal' || verdict === 'error') recorded.push(each);
  if (verdict === 'different') {
    console.log(JSON.stringify({ index, kind, original: each.original, patch }), '\n', differenceOf(each), '\n');
  }
}
console.log(counts);
if (record === '--record') {
  const lines = recorded.map((each) => JSON.stringify(each)).filter((line) => line.length < maxRecordedLength);
  writeFileSync(new URL('testdata/strategic.jsonl', import.meta.url), `${lines.join('\n')}\n`);
}

/** Of several errors the reference tells one by chance. */
function judge(each: RecordedPatch): keyof typeof counts {
  if (each.error === 'panic' || each.error?.startsWith('original: ') === true) return 'skipped';
  const difference = differenceOf(each);
  if (difference === undefined) return each.error === undefined ? 'equal' : 'error';
  return each.error !== undefined && difference.startsWith('error') ? 'ambiguous' : 'different';
}
