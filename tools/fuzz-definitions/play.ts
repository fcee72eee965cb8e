import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import type { ApiClient } from '../../test/api-client.ts';
import { Random } from '../random-objects/repeatable-random.ts';
import { randomSchema } from './random-schema.ts';
import { randomValue } from './random-value.ts';

const group = 'fuzz.example.com';
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';

/** A request and what is comparable of its response. */
export interface Played {
  readonly request: string;
  readonly answer: JsonValue;
}

export interface FuzzPace {
  /** Until a server has noticed that a definition has changed. */
  readonly settleMs: number;
}

/** Resolves with the status code. */
type Send = (method: string, to: string, body?: JsonValue, contentType?: string) => Promise<number>;

/** A definition with random schemas, its change to others, and random writes of instances before and after. */
export async function playDefinition(
  client: ApiClient,
  seed: number,
  { settleMs }: FuzzPace,
): Promise<readonly Played[]> {
  const random = new Random(seed);
  const plural = `fuzz${seed}`;
  const path = `/apis/${group}/v1/${plural}`;
  const played: Played[] = [];
  const send: Send = async (method, to, body, contentType) => {
    const type = contentType === undefined ? {} : { contentType };
    const answer = await client.send(method, to, body === undefined ? {} : { body, ...type });
    played.push({ request: `${method} ${to} ${JSON.stringify(body)}`, answer: comparable(answer.code, answer.body) });
    return answer.code;
  };
  const first = specOf(random);
  const second = random.chance(0.5) ? specOf(random) : varied(random, first);
  const definition = definitionOf(plural, first);
  if ((await send('POST', definitionsPath, definition)) !== 201) return played;
  while ((await client.exchange('GET', path, {})).code !== 200) await sleep(20);
  await sleep(settleMs);
  const names = ['one', 'two', 'three', 'four'];
  for (const name of names) {
    for (let tries = 0; tries < 3; tries += 1) {
      const body = instance(plural, name, randomValue(random, first));
      if ((await send('POST', `${path}?fieldValidation=Warn`, body)) === 201) break;
    }
  }
  const versions = definitionOf(plural, second)['spec'] as JsonObject;
  const change = { spec: { versions: versions['versions'] ?? null } };
  const changed = await send('PATCH', `${definitionsPath}/${plural}.${group}`, change, merge);
  await sleep(settleMs);
  const writes = { plural, path, value: (): JsonValue => randomValue(random, changed === 200 ? second : first) };
  for (const name of names) await playWrites(send, name, writes);
  await client.send('DELETE', `${definitionsPath}/${plural}.${group}`);
  return played;
}

/** The writes of an instance. */
interface Writes {
  readonly plural: string;
  readonly path: string;
  readonly value: () => JsonValue;
}

async function playWrites(send: Send, name: string, { plural, path, value }: Writes): Promise<void> {
  const one = `${path}/${name}`;
  await send('GET', one);
  await send('PATCH', one, { metadata: { labels: { a: name } } }, merge);
  await send('PATCH', one, { spec: value() }, merge);
  await send('PATCH', `${one}?fieldManager=m1&force=true`, instance(plural, name, value()), apply);
  await send('PATCH', `${one}?fieldManager=m2`, instance(plural, name, value()), apply);
  await send('PATCH', `${one}?fieldManager=m1&force=true`, instance(plural, name, value()), apply);
  const patch = [{ op: 'replace', path: '/spec', value: value() }];
  await send('PATCH', one, patch, 'application/json-patch+json');
}

function specOf(random: Random): JsonObject {
  const schema = randomSchema(random, 0);
  return random.chance(0.8) ? { type: 'object', ...schemaOfObject(random, schema) } : schema;
}

function schemaOfObject(random: Random, schema: JsonObject): JsonObject {
  if (isJsonObject(schema['properties'])) return schema;
  return { properties: { a: schema, b: randomSchema(random, 1), c: randomSchema(random, 1) } };
}

/** A copy of the schema with another field. */
function varied(random: Random, schema: JsonObject): JsonObject {
  const { properties } = schema;
  if (!isJsonObject(properties)) return schema;
  return { ...schema, properties: { ...properties, [random.pick(['a', 'b', 'c']) ?? '']: randomSchema(random, 1) } };
}

function definitionOf(plural: string, spec: JsonObject): JsonObject {
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  const names = { plural, singular: plural, kind: kindOf(plural), listKind: `${kindOf(plural)}List` };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names,
      scope: 'Cluster',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

function instance(plural: string, name: string, spec: JsonValue): JsonObject {
  return { apiVersion: `${group}/v1`, kind: kindOf(plural), metadata: { name }, spec };
}

function kindOf(plural: string): string {
  return plural.charAt(0).toUpperCase() + plural.slice(1);
}

/** The reference reports errors of properties in random order. */
function comparable(
  code: number,
  { metadata, spec = null, reason = '', details, message = '', kind = '' }: JsonObject,
): JsonValue {
  if (code >= 400) {
    const causes = isJsonObject(details) && Array.isArray(details['causes']) ? details['causes'] : [];
    const reported = causes.length > 0 ? causes.map(shortCause).toSorted(byText) : linesOf(message);
    return { code, reason, told: JSON.parse(JSON.stringify(reported).replaceAll(varying, '')) as JsonValue };
  }
  if (kind === 'CustomResourceDefinition') return { code, spec };
  const { managedFields = [] } = (metadata ?? {}) as { managedFields?: JsonObject[] };
  const owners = managedFields.map(({ manager = '', operation = '', fieldsV1 = {} }) => ({
    manager,
    operation,
    fieldsV1,
  }));
  return { code, spec, owners: owners.toSorted(byText) };
}

/** Times and identities of whole objects in messages. */
const varying = /[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|\\+"resourceVersion\\+":\\+"\d+\\+",/g;

/** Errors of types are in random order, and end with the first unknown field. */
function linesOf(message: JsonValue): JsonValue {
  if (typeof message !== 'string') return message;
  return message.startsWith('failed to create typed') ? message.slice(0, message.indexOf(':')) : message;
}

/** Values of whole objects keep the order of their keys from the patch there. */
function shortCause(cause: JsonValue): JsonValue {
  if (!isJsonObject(cause) || cause['field'] !== 'patch') return cause;
  const { message } = cause;
  return { ...cause, message: typeof message === 'string' ? message.slice(message.lastIndexOf('}') + 1) : null };
}

function byText(a: JsonValue, b: JsonValue): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
