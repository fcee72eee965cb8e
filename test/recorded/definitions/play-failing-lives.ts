import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/json/json.ts';
import type { ApiClient, Request } from '../../api-client.ts';
import { conversionResponses } from './conversion-answers.ts';
import {
  type ConversionWebhook,
  convertedShips,
  openShipStage,
  removeShips,
  shipsServed,
} from '../../definitions/conversion-webhook.ts';
import { definitionsPath, group, ship, specSchema } from '../../definitions/definitions.ts';
import { invariable, shortResponse, type ShownParts } from './short-answers.ts';

/* Definitions live on while their webhook fails: their objects are listed, watched and deleted with selectors, their
   storage version changes, and they and a namespace are deleted. */

/** Responses by step: objects and statuses in short, the events of watches. */
export type PlayedLives = { readonly [step: string]: unknown };

type Answering = NonNullable<ConversionWebhook['answer']>;

/** One of each kind of unusual answer; a port on which nobody listens has none. */
const ways: { readonly [name: string]: Answering | 'closed port' } = Object.fromEntries([
  ...[
    'code 500 with JSON',
    'words',
    'another uid',
    'a failure with words',
    'no objects at all',
    'another name',
    'no metadata',
    'an object of version v9',
  ].map((name) => [name, conversionResponses[name]]),
  ['a closed port', 'closed port'],
]) as { readonly [name: string]: Answering | 'closed port' }; // Their names are keys of that table.

const shown: ShownParts = { object: ['kind', 'apiVersion', 'spec'], details: true };
const definitionPath = `${definitionsPath}/ships.${group}`;
const merge = 'application/merge-patch+json';
const table = 'application/json;as=Table;g=meta.k8s.io;v=v1';
const metadataList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

interface Life {
  readonly client: ApiClient;
  readonly webhook: ConversionWebhook;
  readonly settleMs: number;
  readonly results: { [step: string]: unknown };
  /** Begins the names of its steps. */
  readonly way: string;
  readonly space: string;
}

export async function playFailingLives(
  server: { readonly url: string; readonly kubeconfigPath: string },
  { settleMs }: { readonly settleMs: number },
): Promise<PlayedLives> {
  await using stage = await openShipStage(server);
  const { client, webhook } = stage;
  const results: { [step: string]: unknown } = {};
  for (const [index, [way, answer]] of Object.entries(ways).entries()) {
    const life: Life = { client, webhook, settleMs, results, way, space: `way-${index}` };
    await live(life, answer);
  }
  return results;
}

async function live(life: Life, answer: Answering | 'closed port'): Promise<void> {
  const { client, webhook, space, settleMs } = life;
  await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name: space } } });
  await changed(client, 'POST', definitionsPath, { body: definition(webhook, 'v1') });
  await shipsServed(client);
  for (const name of ['one', 'two', 'three']) {
    await changed(client, 'POST', shipsIn(space, 'v1'), { body: ship(name, { name }) });
  }
  // Lists show what has been converted before.
  await client.send('GET', shipsIn(space, 'v2'));
  await sleep(settleMs);
  await step(life, 'the definition', 'GET', definitionPath);
  await fail(life, answer);
  await readings(life, 'at first');
  await watches(life);
  await selected(life);
  await move(life);
  await readings(life, 'after the move');
  await remove(life);
}

function definition(webhook: Pick<ConversionWebhook, 'url' | 'caBundle'>, storage: 'v1' | 'v2'): object {
  const text = { type: 'string' };
  return convertedShips(webhook, [
    { name: 'v1', storage: storage === 'v1', schema: specSchema({ name: text }) },
    { name: 'v2', storage: storage === 'v2', schema: specSchema({ title: text }) },
  ]);
}

function shipsIn(space: string, version: string): string {
  return `/apis/${group}/${version}/namespaces/${space}/ships`;
}

async function changed(client: ApiClient, method: string, path: string, request: Request): Promise<void> {
  const { code, body } = await client.send(method, path, request);
  if (code > 201) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`);
}

async function fail({ client, webhook, settleMs }: Life, answer: Answering | 'closed port'): Promise<void> {
  if (answer === 'closed port') {
    const body = { spec: { conversion: { webhook: { clientConfig: { url: 'https://127.0.0.1:1/convert' } } } } };
    await changed(client, 'PATCH', definitionPath, { body, contentType: merge });
    await sleep(settleMs);
  } else webhook.answer = answer;
}

async function step(
  life: Life,
  name: string,
  ...[method, path, request = {}]: readonly [method: string, path: string, request?: Request | undefined]
): Promise<void> {
  const { code, headers, body } = await life.client.send(method, path, request);
  const warning = headers['warning'];
  life.results[`${life.way}: ${name}`] = {
    ...(shortOf(code, body) as JsonObject),
    ...(warning === undefined ? {} : { warning: invariable([warning]) }),
  };
}

function shortOf(code: number, body: JsonObject): JsonValue {
  const { items, rows, kind, status } = body;
  if (kind === 'CustomResourceDefinition') return { code, status: statusOf(status as JsonObject) };
  if (Array.isArray(items)) return { code, kind: kind ?? null, items: items.map(itemOf) };
  if (Array.isArray(rows)) return { code, rows: rows.map((row) => (row as { cells: JsonValue[] }).cells[0] ?? null) };
  return shortResponse(code, body, shown);
}

/** Why a deletion is not complete changes while it is tried again. */
function statusOf(status: JsonObject): JsonValue {
  const conditions = status['conditions'] as { type: string; status: string; reason?: string }[]; // of a definition
  const shown = conditions.map(({ type, status: is, reason = null }) =>
    type === 'Terminating' ? [type, is] : [type, is, reason],
  );
  return { ...status, conditions: shown };
}

function itemOf(item: JsonValue): JsonValue {
  const { apiVersion = null, metadata, spec = null } = item as JsonObject; // an object of the API
  return [apiVersion, (metadata as JsonObject)['name'] ?? null, spec];
}

async function readings(life: Life, when: string): Promise<void> {
  const { space } = life;
  for (const version of ['v1', 'v2']) {
    const path = shipsIn(space, version);
    const gets: { readonly [name: string]: readonly [query: string, request?: Request] } = {
      get: ['/one'],
      'get at any version': ['/one?resourceVersion=0'],
      list: [''],
      'list at any version': ['?resourceVersion=0'],
      'first page': ['?limit=1'],
      'one by its name': ['?fieldSelector=metadata.name%3Done'],
      'by a label': ['?labelSelector=a'],
      table: ['', { headers: { accept: table } }],
      metadata: ['', { headers: { accept: metadataList } }],
    };
    for (const [name, [query, request]] of Object.entries(gets)) {
      await step(life, `${when}: ${version}: ${name}`, 'GET', path + query, request);
    }
  }
}

async function watches(life: Life): Promise<void> {
  const { client, results, way, space } = life;
  const { body } = await client.send('GET', shipsIn(space, 'v1'));
  const { resourceVersion: since } = body['metadata'] as { resourceVersion: string };
  await changed(client, 'PATCH', `${shipsIn(space, 'v1')}/two`, {
    body: { metadata: { labels: { seen: 'yes' } } },
    contentType: merge,
  });
  await sleep(life.settleMs);
  for (const version of ['v1', 'v2']) {
    const path = `${shipsIn(space, version)}?watch=true&timeoutSeconds=1&resourceVersion=${since}`;
    results[`${way}: a watch through ${version}`] = await eventsOf(client, path);
  }
}

async function eventsOf(client: ApiClient, path: string): Promise<JsonValue> {
  const events: JsonValue[] = [];
  try {
    // A refused watch is answered with a Status.
    for await (const { type, object, ...status } of client.watch(path)) {
      events.push(isJsonObject(object) ? { type, object: shortOf(0, object) } : shortOf(0, status as JsonObject));
    }
  } catch (error) {
    events.push(error instanceof Error ? error.message : String(error));
  }
  return events;
}

/** Deletions of what a selector selects. */
async function selected(life: Life): Promise<void> {
  const { space } = life;
  for (const version of ['v2', 'v1']) {
    const path = shipsIn(space, version);
    const deletions = {
      'a dry deletion of all': '?dryRun=All',
      'a dry deletion of one by its name': '?dryRun=All&fieldSelector=metadata.name%3Done',
      'a dry deletion of a name that is not there': '?dryRun=All&fieldSelector=metadata.name%3Dx',
      'a dry deletion by a label': '?dryRun=All&labelSelector=seen%3Dyes',
      'a dry deletion': '/one?dryRun=All',
      'a deletion of three by its name': '?fieldSelector=metadata.name%3Dthree',
    };
    for (const [name, query] of Object.entries(deletions)) {
      await step(life, `${version}: ${name}`, 'DELETE', path + query);
    }
  }
}

/** v2 becomes the storage version, while objects are stored as v1. */
async function move(life: Life): Promise<void> {
  const { client, webhook, settleMs } = life;
  const versions = (definition(webhook, 'v2') as { spec: { versions: object[] } }).spec.versions;
  await changed(client, 'PATCH', definitionPath, { body: { spec: { versions } }, contentType: merge });
  await sleep(settleMs);
  await step(life, 'the definition after the move', 'GET', definitionPath);
  const storedVersions = (names: readonly string[]): Request => ({
    body: { status: { storedVersions: names } },
    contentType: merge,
  });
  await step(life, 'only v1 is stored', 'PATCH', `${definitionPath}/status`, storedVersions(['v1']));
  await step(life, 'v9 is stored', 'PATCH', `${definitionPath}/status?dryRun=All`, storedVersions(['v2', 'v9']));
  await step(life, 'only v2 is stored', 'PATCH', `${definitionPath}/status?dryRun=All`, storedVersions(['v2']));
}

/** The definition cannot go before its objects, which have to be read for that. */
async function remove(life: Life): Promise<void> {
  const { client, webhook, settleMs, space } = life;
  await step(life, 'delete the definition', 'DELETE', definitionPath);
  await sleep(settleMs);
  await step(life, 'the definition is held', 'GET', definitionPath);
  await step(life, 'create while it goes', 'POST', shipsIn(space, 'v2'), { body: ship('new', { title: 'n' }, 'v2') });
  await step(life, 'list while it goes', 'GET', shipsIn(space, 'v2'));
  await step(life, 'list as v1 while it goes', 'GET', shipsIn(space, 'v1'));
  webhook.answer = undefined;
  const { url } = webhook;
  const body = { spec: { conversion: { webhook: { clientConfig: { url } } } } };
  await client.send('PATCH', definitionPath, { body, contentType: merge });
  await removeShips(client);
  await step(life, 'the definition is gone', 'GET', definitionPath);
  await client.send('DELETE', `/api/v1/namespaces/${space}`);
}
