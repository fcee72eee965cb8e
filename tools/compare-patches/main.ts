/*
 * Compares patches with the reference's own libraries. The oracle is built first: copy `oracle/main.go` beside a go.mod
 * that requires k8s.io/kubernetes 1.37.1 and run `go build -o ORACLE .` there.
 *
 *   node tools/compare-patches/main.ts ORACLE [SEED] [COUNT]          prints differences
 *   node tools/compare-patches/main.ts ORACLE SEED COUNT --record     writes the recorded cases of the tests
 */
import { spawnSync } from 'node:child_process';
import { isJsonObject, type JsonObject } from '../../src/api/json/json.ts';
import { parseJson } from '../../src/codec/json.ts';
import { schemaByName } from '../../src/schema/kubernetes/definitions.ts';
import { familiar } from '../random-objects/familiar.ts';
import { generate } from '../random-objects/generate.ts';
import { pick, type Random, seeded } from '../random-objects/random.ts';
import { readArguments } from '../arguments.ts';
import { generatePatch } from './generate-patch.ts';
import { generateDocument, generateOperations } from './generate-document.ts';
import { documentDifference, type RecordedDocument } from '../../test/recorded/patches/recorded-document.ts';
import { writeCases } from '../../test/recorded/recording.ts';
import { differenceOf, type RecordedPatch } from '../../test/recorded/patches/recorded-patch.ts';

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
const maxRecordedLength = 1500;

const { values, positionals } = readArguments(
  { allowPositionals: true, options: { record: { type: 'boolean', default: false } } },
  { needed: 1 },
);
const [oracle = '', seed = '1', count = '1000'] = positionals;

interface Question {
  readonly format: 'json' | 'merge' | 'strategic';
  readonly kind: string;
  readonly original: JsonObject;
  readonly patch: JsonObject | readonly JsonObject[];
}

function strategicQuestion(random: Random): Question {
  const kind = pick(random, kinds);
  const schema = schemaByName(kind);
  const original = schema === undefined ? undefined : generate(schema, random, familiar);
  if (schema === undefined || !isJsonObject(original)) throw new Error(`no schema ${kind}`);
  return { format: 'strategic', kind, original, patch: generatePatch(schema, random) };
}

function documentQuestion(random: Random): Question {
  const original = generateDocument(random);
  if (random() < 0.3) return { format: 'merge', kind: '', original, patch: generateDocument(random) };
  return { format: 'json', kind: '', original, patch: generateOperations(random) };
}

/** Each question with its result. */
function ask<T>(questions: readonly Question[]): T[] {
  const input = questions.map((each) => JSON.stringify(each)).join('\n');
  const run = spawnSync(oracle ?? '', { input, encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (run.status !== 0) throw new Error(run.stderr);
  const answers = run.stdout.trim().split('\n');
  return questions.map((question, index) => {
    // The oracle writes recorded results; if it reports what became of the original, that one counts.
    const answer = parseJson(Buffer.from(answers[index] ?? '')).value as JsonObject;
    return { ...question, ...answer } as T;
  });
}

type Verdict = 'equal' | 'different' | 'ambiguous' | 'skipped';

/** The reference reports one of several errors at random. */
function verdictOf(error: string | undefined, difference: string | undefined): Verdict {
  if (error === 'panic' || error?.startsWith('original: ') === true) return 'skipped';
  if (difference === undefined) return 'equal';
  return error !== undefined && difference.startsWith('error') ? 'ambiguous' : 'different';
}

function compare<T extends { readonly error?: string }>(
  name: string,
  answered: readonly T[],
  difference: (each: T) => string | undefined,
): void {
  const counts: { [verdict in Verdict]: number } = { equal: 0, different: 0, ambiguous: 0, skipped: 0 };
  const recorded: T[] = [];
  for (const each of answered) {
    const found = each.error === 'panic' ? undefined : difference(each);
    const verdict = verdictOf(each.error, found);
    counts[verdict] += 1;
    const line = JSON.stringify(each);
    if (verdict === 'equal' && line.length < maxRecordedLength) recorded.push(each);
    if (verdict === 'different') console.log(line, '\n', found, '\n');
  }
  console.log(name, counts);
  if (values.record) writeCases('patches', name, recorded);
}

const random = seeded(Number(seed));
const length = Number(count);
compare('strategic', ask<RecordedPatch>(Array.from({ length }, () => strategicQuestion(random))), differenceOf);
compare('documents', ask<RecordedDocument>(Array.from({ length }, () => documentQuestion(random))), documentDifference);
