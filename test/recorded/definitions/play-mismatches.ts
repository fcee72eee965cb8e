import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '../../../src/api/json/json.ts';
import { inKeyOrder } from '../../../src/api/json/json-text.ts';
import { ApiClient } from '../../api-client.ts';
import { inParallel } from '../../in-parallel.ts';
import { definitionsPath } from '../../definitions/definitions.ts';

/* Values of any shape are stored; then the definition changes so that most no longer fit. Who owns what after writes
   that leave the value alone, and after one that removes it? */

const group = 'misfit.example.com';
const merge = 'application/merge-patch+json';
const text = { type: 'string' };
const integer = { type: 'integer' };
const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const anything = { 'x-kubernetes-preserve-unknown-fields': true };

const values: { readonly [name: string]: JsonValue } = {
  text: 'a',
  number: 5,
  object: { a: 'x', b: 'y' },
  list: ['a', 'b'],
  'duplicates-in-list': ['a', 'a'],
  objects: [{ name: 'a', v: 'x' }, { name: 'b' }],
  'without-names': [{ v: 'x' }, { v: 'y' }],
  'duplicate-names': [
    { name: 'a', v: 'x' },
    { name: 'a', v: 'y' },
  ],
  'different-items': ['a', { name: 'b' }],
  'numbers-as-names': [{ name: 1 }],
  'nulls-as-names': [{ name: null, v: 'x' }],
  'objects-as-names': [{ name: { q: 1 } }],
  'list-in-object': { a: [{ v: 'x' }], b: 'y' },
  null: null,
  nulls: [null],
  lists: [['a'], ['b']],
};

const schemas: { readonly [plural: string]: JsonObject } = {
  texts: text,
  integers: integer,
  objects: { type: 'object', properties: { a: text } },
  typedobjects: { type: 'object', properties: { a: integer, b: text } },
  atomiclists: { type: 'array', items: free },
  sets: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
  integersets: { type: 'array', items: integer, 'x-kubernetes-list-type': 'set' },
  lists: listByName({ name: text, v: text }),
  integerlists: listByName({ name: integer, v: text }),
  defaultedlists: listByName({ name: text, p: { ...text, default: 'tcp' }, v: text }, ['name', 'p']),
  words: { type: 'object', additionalProperties: text },
  listmaps: { type: 'object', additionalProperties: listByName({ name: text, v: text }) },
  frees: free,
  nestedlists: { type: 'object', properties: { a: listByName({ name: text, v: text }), b: text } },
  listsoflists: { type: 'array', items: { type: 'array', items: text } },
  atomicmaps: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: text } },
  ports: { 'x-kubernetes-int-or-string': true },
};

function listByName(properties: JsonObject, keys: readonly string[] = ['name']): JsonObject {
  return {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': [...keys],
    items: { type: 'object', required: [...keys], properties },
  };
}

/** Comparable responses by schema, value and write. */
export async function playMismatches(server: {
  readonly url: string;
  readonly kubeconfigPath: string;
}): Promise<{ readonly [step: string]: JsonValue }> {
  using client = await ApiClient.connect(server);
  const plurals = Object.keys(schemas);
  await inParallel(plurals, 4, (plural) => storeValues(client, plural));
  // Owners are in the order of their times, which are in seconds, and then of their names.
  await sleep(1_000);
  const results: { [step: string]: JsonValue } = {};
  await inParallel(plurals, 4, async (plural) => {
    for (const name of Object.keys(values)) {
      for (const [write, answer] of await writes(client, plural, name)) results[`${plural}: ${name} ${write}`] = answer;
    }
    await client.send('DELETE', `${definitionsPath}/${plural}.${group}`);
  });
  return Object.fromEntries(Object.entries(results).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

async function storeValues(client: ApiClient, plural: string): Promise<void> {
  const path = pathOf(plural);
  await succeed(client, 'POST', definitionsPath, { body: definitionOf(plural, anything, 'Stored') });
  await untilColumn(client, path, 'Stored');
  for (const [name, value] of Object.entries(values)) {
    const body = { ...instance(plural, name), spec: { x: value } };
    await succeed(client, 'POST', `${path}?fieldManager=maker`, { body });
  }
  const { spec } = definitionOf(plural, schemas[plural] ?? {}, 'Changed');
  await succeed(client, 'PATCH', `${definitionsPath}/${plural}.${group}`, { body: { spec }, contentType: merge });
  await untilColumn(client, path, 'Changed');
}

/** A column of a definition is served together with its schema. */
async function untilColumn(client: ApiClient, path: string, column: string): Promise<void> {
  const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
  while (!(await client.exchange('GET', path, { headers })).text.includes(`"name":"${column}"`)) await sleep(20);
}

type WriteResponse = readonly [write: string, answer: JsonValue];

async function writes(client: ApiClient, plural: string, name: string): Promise<readonly WriteResponse[]> {
  const path = `${pathOf(plural)}/${name}`;
  const send = async (manager: string, body: JsonObject, contentType = merge): Promise<JsonValue> => {
    const query = contentType === merge ? `fieldManager=${manager}` : `fieldManager=${manager}&force=true`;
    const { code, body: answer } = await client.send('PATCH', `${path}?${query}`, { body, contentType });
    return comparable(code, answer);
  };
  const applied = { ...instance(plural, name), spec: { other: 'w' } };
  return [
    ['labelled', await send('labels', { metadata: { labels: { a: 'b' } } })],
    ['changed', await send('other', { spec: { other: 'z' } })],
    ['applied', await send('applier', applied, 'application/apply-patch+yaml')],
    ['removed', await send('remover', { spec: { x: null } })],
  ];
}

function comparable(code: number, { metadata, spec = null, message = '', details }: JsonObject): JsonValue {
  if (code !== 200) return { code, message, details: details ?? null };
  const { managedFields = [] } = metadata as { managedFields?: JsonObject[] };
  const owners = managedFields.map(({ manager = '', operation = '', fieldsV1 = {} }) => ({
    manager,
    operation,
    fieldsV1,
  }));
  return { code, spec, owners };
}

/** Short, and equal for equal responses. */
export function digestOf(answer: JsonValue): string {
  return createHash('sha256')
    .update(JSON.stringify(inKeyOrder(answer)))
    .digest('base64url')
    .slice(0, 8);
}

async function succeed(
  client: ApiClient,
  method: string,
  path: string,
  request: { readonly body: object; readonly contentType?: string },
): Promise<void> {
  const { code, body } = await client.send(method, path, request);
  if (code > 201) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`);
}

function definitionOf(
  plural: string,
  x: JsonObject,
  column: string,
): { readonly spec: object; readonly [field: string]: unknown } {
  const spec = { type: 'object', properties: { x, other: text } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  const additionalPrinterColumns = [{ name: column, type: 'string', jsonPath: '.spec.other' }];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { plural, singular: plural, kind: kindOf(plural) },
      versions: [{ name: 'v1', served: true, storage: true, schema, additionalPrinterColumns }],
    },
  };
}

function kindOf(plural: string): string {
  return plural.charAt(0).toUpperCase() + plural.slice(1);
}

function instance(plural: string, name: string): JsonObject {
  return { apiVersion: `${group}/v1`, kind: kindOf(plural), metadata: { name } };
}

function pathOf(plural: string): string {
  return `/apis/${group}/v1/${plural}`;
}
