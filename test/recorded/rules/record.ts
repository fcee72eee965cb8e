// node test/record.ts rules STATE_DIR PORT [INPUT ...]: puts rules into definitions of a reference server (started by
// `up` in STATE_DIR) and records its results for the rules, and for values they apply to, by INPUT.
import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from '../../../src/api/json/json.ts';
import type { StatusCause } from '../../../src/api/errors/status.ts';
import { writeCases } from '../recording.ts';
import { ReferenceClient } from '../validation/reference-client.ts';
import {
  allBatches,
  type Batch,
  definitionOf,
  divided,
  group,
  instanceOf,
  type RecordedBatch,
  type Rule,
  verdictsOf,
} from './batches.ts';
import { inputs } from './inputs.ts';

const [stateDir = '', port = '', ...inputNames] = process.argv.slice(2);
using reference = new ReferenceClient(stateDir, port);
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function causesOf({ code, body }: { readonly code: number; readonly body: JsonObject }): readonly StatusCause[] {
  if (code < 300) return [];
  const { details } = body;
  // A Status has details, and one for an invalid object has causes.
  const causes = isJsonObject(details) ? (details['causes'] as unknown as StatusCause[]) : undefined;
  if (code !== 422 || causes === undefined) throw new Error(JSON.stringify(body));
  return causes;
}

/**
 * The rules that the reference accepts, and the errors of others; rules with an invalid message only are retried
 * without it.
 */
async function refusals(
  batch: Batch,
): Promise<{ readonly recorded: RecordedBatch[]; readonly taken: readonly Rule[] }> {
  const answer = await reference.send('POST', `${definitions}?dryRun=All`, definitionOf(batch, 'asked'));
  const refused = verdictsOf(causesOf(answer));
  const wrong = batch.rules.filter((_, index) => index in refused);
  const untold = wrong.flatMap((rule) => {
    const verdicts = refused[batch.rules.indexOf(rule)] ?? [];
    return verdicts.every(([, , rest]) => rest === '.messageExpression') ? [{ rule: rule.rule }] : [];
  });
  const taken = batch.rules.filter((rule) => !wrong.includes(rule));
  return { recorded: wrong.length === 0 ? [] : [{ ...batch, refused }], taken: [...taken, ...untold] };
}

/** Splits a batch so that the rules of each part stay within the cost limit. */
async function affordable(batch: Batch): Promise<readonly Batch[]> {
  const { code, body } = await reference.send('POST', `${definitions}?dryRun=All`, definitionOf(batch, 'asked'));
  if (code < 300) return [batch];
  if (batch.rules.length === 1) throw new Error(JSON.stringify(body));
  const middle = Math.ceil(batch.rules.length / 2);
  const halves = [batch.rules.slice(0, middle), batch.rules.slice(middle)];
  return (await Promise.all(halves.map((rules) => affordable({ ...batch, rules })))).flat();
}

async function serve(batch: Batch, plural: string): Promise<void> {
  await reference.send('DELETE', `${definitions}/${plural}.${group}`);
  for (;;) {
    const { code, body } = await reference.send('POST', definitions, definitionOf(batch, plural));
    if (code === 201) break;
    if (code !== 409) throw new Error(JSON.stringify(body));
    await sleep(200);
  }
  for (;;) {
    const { body } = await reference.send('GET', `/apis/${group}/v1`);
    const { resources } = body;
    const names = Array.isArray(resources) ? resources.map((each) => isJsonObject(each) && each['name']) : [];
    if (names.includes(plural)) return;
    await sleep(100);
  }
}

async function outcomes(batch: Batch, plural: string): Promise<RecordedBatch> {
  await serve(batch, plural);
  const broken: NonNullable<RecordedBatch['broken']>[number][] = [];
  for (const value of inputs[batch.input]?.values ?? []) {
    const path = `/apis/${group}/v1/${plural}?dryRun=All`;
    broken.push(verdictsOf(causesOf(await reference.send('POST', path, instanceOf(batch, plural, value)))));
  }
  await reference.send('DELETE', `${definitions}/${plural}.${group}`);
  return { ...batch, broken };
}

const recorded: RecordedBatch[] = [];
const taken = new Map<string, Rule[]>();
for (const batch of allBatches()) {
  if (inputNames.length > 0 && !inputNames.includes(batch.input)) continue;
  const refused = await refusals(batch);
  recorded.push(...refused.recorded);
  taken.set(batch.input, [...(taken.get(batch.input) ?? []), ...refused.taken]);
}
let count = 0;
for (const [input, rules] of taken) {
  for (const whole of divided({ input, rules })) {
    for (const batch of await affordable(whole)) {
      recorded.push(await outcomes(batch, `batch${count++}x${Date.now() % 1_000_000}`));
    }
  }
}
for (const [input, batches] of Map.groupBy(recorded, (batch) => batch.input)) {
  writeCases('rules', input, batches);
}
const known = new Set(recorded.flatMap(({ input, rules }) => rules.map((rule) => JSON.stringify([input, rule]))));
process.stdout.write(`${known.size} rules\n`);
