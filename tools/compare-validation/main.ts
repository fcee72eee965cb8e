/*
 * Sends random objects to a reference server (started by `up` in STATE_DIR) and to Binnacle as dry runs, and prints
 * differences: custom resource definitions with random schemas, and objects with several recorded mutations at once.
 *
 *   node tools/compare-validation/main.ts STATE_DIR PORT [SEED] [COUNT]
 */
import { ApiClient } from '../../test/api-client.ts';
import { startTestServer } from '../../test/server-fixture.ts';
import type { JsonObject } from '../../src/api/json/json.ts';
import { pick, type Random, seeded } from '../random-objects/random.ts';
import { type WriteResponse, causesOf } from '../../test/recorded/validation/answer.ts';
import { type KindCases, mutated, type Mutation } from '../../test/recorded/validation/case.ts';
import { caseSets } from '../../test/recorded/validation/cases/all.ts';
import { ReferenceClient } from '../../test/recorded/validation/reference-client.ts';
import { collectionPath, withoutServerFields } from '../../test/recorded/validation/requests.ts';
import { readArguments } from '../arguments.ts';
import { randomSchema } from './random-schema.ts';

const { positionals } = readArguments({ allowPositionals: true }, { needed: 2 });
const [stateDir = '', port = '', seed = '1', count = '1000'] = positionals;
const definitions = 'apiextensions.k8s.io/v1/customresourcedefinitions';

/** Cluster-scoped kinds; a namespace may have objects that only one of the servers has. */
const kinds = Object.values(caseSets)
  .flat()
  .filter(({ clusterScoped, create = [], createWith }) => clusterScoped === true && createWith && create.length > 0);

interface Candidate {
  readonly kind: KindCases;
  readonly mutation: Mutation;
}

function candidate(random: Random): Candidate {
  const schemas = kinds.find(({ resource }) => resource === definitions);
  if (schemas !== undefined && random() < 0.5) {
    const mutation = { 'spec.versions.0.schema.openAPIV3Schema': randomSchema(random) };
    return { kind: schemas, mutation };
  }
  const kind = pick(random, kinds);
  const parts = Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(random, kind.create ?? []));
  const merged: Mutation = Object.assign({}, ...parts);
  return { kind, mutation: merged };
}

/** Undefined if a mutation refers to something that another one has removed. */
function objectOf({ kind, mutation }: Candidate): JsonObject | undefined {
  try {
    return mutated(mutated(withoutServerFields(kind.base, kind.createWithout), kind.createWith ?? {}), mutation);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/**
 * The reference reports errors of properties in random order; empty lists and absent ones are equal here
 * (docs/validation.md).
 */
function shownResponse({ code, body }: WriteResponse): readonly string[] {
  const causes = causesOf(body).map((cause) => cause.join(' | ').replaceAll('[]', 'null'));
  return [`code ${code}`, ...causes].toSorted();
}

function print({ kind, mutation }: Candidate, theirs: readonly string[], ours: readonly string[]): void {
  process.stdout.write(`${kind.resource} ${JSON.stringify(mutation)}\n`);
  for (const text of theirs) if (!ours.includes(text)) process.stdout.write(`  reference: ${text}\n`);
  for (const text of ours) if (!theirs.includes(text)) process.stdout.write(`  Binnacle:  ${text}\n`);
}

using reference = new ReferenceClient(stateDir, port);
await using server = await startTestServer();
using client = await ApiClient.connect(server);
const random = seeded(Number(seed));
let differences = 0;
for (let made = 0; made < Number(count); made += 1) {
  const next = candidate(random);
  const body = objectOf(next);
  if (body === undefined) continue;
  const path = `${collectionPath(next.kind.resource, true)}?dryRun=All`;
  const [theirs, ours] = await Promise.all([
    reference.send('POST', path, body),
    client.send('POST', path, { body }).then((answer) => ({ ...answer, warnings: [] })),
  ]);
  const [expected, found] = [shownResponse(theirs), shownResponse(ours)];
  if (expected.join('\n') === found.join('\n')) continue;
  differences += 1;
  print(next, expected, found);
}
process.stdout.write(`${differences} differences\n`);
process.exitCode = differences === 0 ? 0 : 1;
