/*
 * Submits definitions from packages to a reference server (started by `up` in STATE_DIR) and to Binnacle, and prints
 * differences: acceptance or errors, the resulting object, its conditions, the published OpenAPI, and results for
 * instances: a minimal one, a full one, some with a fault.
 *
 *   node tools/compare-definitions/main.ts STATE_DIR PORT FOLDER ... [--faults N] [--seed N]
 *
 * FOLDERs contain YAML or JSON files, such as modules in Go's module cache: `go mod download -json MODULE@VERSION`
 * prints the folder of one.
 */
import { loadGoRegexp } from '../../src/api/go/go-regexp.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import type * as extensions from '../../src/schema/kubernetes/generated/types/apiextensions-v1.ts';
import { ApiClient } from '../../test/api-client.ts';
import { startTestServer } from '../../test/server-fixture.ts';
import { type Random, seeded } from '../random-objects/random.ts';
import { ReferenceClient } from '../../test/recorded/validation/reference-client.ts';
import { readArguments } from '../arguments.ts';
import { definitionsIn, type FoundDefinition } from './collect.ts';
import { differences, shownResponse, without } from './differences.ts';
import { faultyOnes } from './faults.ts';
import { type Amount, sampleOf } from './instances.ts';
import { conditionsOf, sendingTo, Servers } from './servers.ts';

const { values, positionals } = readArguments(
  {
    allowPositionals: true,
    options: { faults: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
  },
  { needed: 3 },
);
const [stateDir = '', port = '', ...folders] = positionals;
const faultCount = Number(values.faults);
const random: Random = seeded(Number(values.seed));
/** Differences printed per response. */
const maxShown = 5;
/** Definitions served at a time. */
const perRound = 40;

await loadGoRegexp();
await using ours = await startTestServer();
using reference = new ReferenceClient(stateDir, port);
using client = await ApiClient.connect(ours);
const servers = new Servers([(method, path, body) => reference.send(method, path, body), sendingTo(client)]);
const counts = {
  definitions: 0,
  refused: 0,
  served: 0,
  documents: 0,
  instances: 0,
  refusedInstances: 0,
  differences: 0,
};

function compare(what: string, [theirs, own]: readonly JsonValue[]): boolean {
  const found = [...differences(theirs, own)];
  if (found.length === 0) return true;
  counts.differences += 1;
  process.stdout.write(
    `${what}\n${found
      .slice(0, maxShown)
      .map((text) => `  ${text}\n`)
      .join('')}`,
  );
  return false;
}

type Spec = extensions.CustomResourceDefinitionSpec;

function specOf({ spec }: JsonObject): Spec {
  return spec as unknown as Spec; // accepted by both servers
}

/** The webhooks of packages do not exist here. */
function withoutWebhook(definition: JsonObject): JsonObject {
  const { conversion: _webhook, ...spec } = isJsonObject(definition['spec']) ? definition['spec'] : {};
  return { ...definition, spec };
}

async function isAccepted({ name, definition }: FoundDefinition): Promise<boolean> {
  counts.definitions += 1;
  const answers = await servers.createDefinition(definition, true);
  compare(`${name}: created`, answers.map(shownResponse));
  const isTaken = answers.every(({ code }) => code === 201);
  if (!isTaken) counts.refused += 1;
  return isTaken;
}

async function compareServed(found: FoundDefinition): Promise<void> {
  const { name } = found;
  const settled = await servers.settled(name);
  compare(
    `${name}: definition`,
    settled.map(({ spec = null }) => spec),
  );
  compare(
    `${name}: conditions`,
    settled.map((definition) =>
      conditionsOf(definition)
        .map((condition) => without(condition, ['lastTransitionTime']))
        .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    ),
  );
  counts.served += 1;
  const spec = specOf(settled[0] ?? {});
  for (const version of spec.versions ?? []) {
    if (version.served === true) await compareInstances(name, spec, version);
  }
}

async function compareInstances(
  name: string,
  spec: Spec,
  { name: version = '', schema }: NonNullable<Spec['versions']>[number],
): Promise<void> {
  const { group = '', scope, names = {} } = spec;
  const space = scope === 'Namespaced' ? 'namespaces/default/' : '';
  const path = `/apis/${group}/${version}/${space}${names.plural}`;
  const instance = (amount: Amount): JsonObject => {
    const sample = sampleOf(schema?.openAPIV3Schema ?? {}, amount);
    const own = { apiVersion: `${group}/${version}`, kind: names.kind ?? '', metadata: { name: 'sample' } };
    return { ...(isJsonObject(sample) ? sample : {}), ...own };
  };
  const full = instance('full');
  await servers.until('GET', path, ({ code }) => code === 200);
  for (const object of [instance('minimal'), full, ...faultyOnes(full, faultCount, random)]) {
    const answers = await servers.send('POST', `${path}?dryRun=All&fieldValidation=Strict`, object);
    counts.instances += 1;
    if (answers.some(({ code }) => code >= 300)) counts.refusedInstances += 1;
    if (!compare(`${name} ${version}: instance`, answers.map(shownResponse))) {
      process.stdout.write(`  ${JSON.stringify(object).slice(0, 1500)}\n`);
    }
  }
}

/** The documents of a round's groups; the reference publishes them with a delay. */
async function compareDocuments(round: readonly FoundDefinition[]): Promise<void> {
  const versions = new Set(
    round.flatMap(({ definition }) => {
      const { group, versions: all = [] } = specOf(definition);
      return all.filter(({ served }) => served === true).map(({ name }) => `${group}/${name}`);
    }),
  );
  for (const version of versions) {
    let documents: readonly JsonValue[] = [];
    for (let tries = 0; tries < 100; tries += 1) {
      const answers = await servers.send('GET', `/openapi/v3/apis/${version}`);
      documents = answers.map(({ body }) => without(body, ['description']));
      if (differences(documents[0], documents[1]).next().done === true) break;
    }
    counts.documents += 1;
    compare(`${version}: OpenAPI`, documents);
  }
}

/** Batches of definitions with distinct names. */
function* rounds(all: readonly FoundDefinition[]): Generator<readonly FoundDefinition[]> {
  let left = [...all];
  while (left.length > 0) {
    const names = new Set<string>();
    const round = left.filter(({ name }) => names.size < perRound && !names.has(name) && names.add(name));
    left = left.filter((found) => !round.includes(found));
    yield round;
  }
}

for (const round of rounds(definitionsIn(folders))) {
  const served: FoundDefinition[] = [];
  for (const found of round) {
    if (!(await isAccepted(found))) continue;
    const bare = { ...found, definition: withoutWebhook(found.definition) };
    const answers = await servers.createDefinition(bare.definition, false);
    if (answers.every(({ code }) => code === 201)) served.push(bare);
    else compare(`${found.name}: created for good`, answers.map(shownResponse));
  }
  for (const found of served) await compareServed(found);
  await compareDocuments(served);
  for (const { name } of served) await servers.removed(name);
  process.stderr.write(`${JSON.stringify(counts)}\n`);
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
