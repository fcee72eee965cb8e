import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from '../../../src/api/json/json.ts';
import { ApiClient, type Request } from '../../api-client.ts';
import { type ConversionWebhook, convertedShips, openShipStage } from '../../definitions/conversion-webhook.ts';
import { definitionsPath, ship, shipsPath, specSchema } from '../../definitions/definitions.ts';

/* Requests for a custom resource in its storage version (v1) and in another one (v2) while the webhook works and
   fails. */

/** Responses by step: lists and objects in short, statuses without what varies, the events of watches. */
export type PlayedOutage = { readonly [step: string]: unknown };

export interface Pace {
  /** Until the server has noticed that the webhook works again, and has followed changes. */
  readonly settleMs: number;
}

/** v1 is stored. */
export function twoVersions(webhook: ConversionWebhook): object {
  const text = { type: 'string' };
  return convertedShips(webhook, [
    { name: 'v1', schema: specSchema({ name: text }) },
    { name: 'v2', schema: specSchema({ title: text }) },
  ]);
}

const merge = 'application/merge-patch+json';

export async function playOutage(
  server: { readonly url: string; readonly kubeconfigPath: string },
  pace: Pace,
): Promise<PlayedOutage> {
  await using stage = await openShipStage(server);
  return await new Outage(stage.client, stage.webhook, pace).play();
}

class Outage {
  readonly #client: ApiClient;
  readonly #webhook: ConversionWebhook;
  readonly #pace: Pace;
  readonly #results: { [step: string]: unknown } = {};

  constructor(client: ApiClient, webhook: ConversionWebhook, pace: Pace) {
    this.#client = client;
    this.#webhook = webhook;
    this.#pace = pace;
  }

  async play(): Promise<PlayedOutage> {
    await this.#define();
    for (const name of ['one', 'two', 'three']) await this.#change('POST', shipsPath(), { body: ship(name, { name }) });
    const since = await this.#revision();
    await this.#reads('up', since);
    this.#fail();
    await this.#reads('down', since);
    await this.#reads('down', since, 'v1');
    await this.#writes();
    this.#webhook.answer = undefined;
    await sleep(this.#pace.settleMs);
    await this.#reads('up again', since);
    this.#fail();
    const labels = { body: { metadata: { labels: { changed: 'yes' } } }, contentType: merge };
    await this.#change('PATCH', `${shipsPath()}/two`, labels);
    await sleep(this.#pace.settleMs);
    await this.#reads('down after a change', since);
    this.#webhook.answer = undefined;
    await sleep(this.#pace.settleMs);
    await this.#reads('up at last', since);
    return this.#results;
  }

  async #define(): Promise<void> {
    await this.#change('POST', definitionsPath, { body: twoVersions(this.#webhook) });
    // The reference serves, and fills its caches, some time after the condition.
    await until(async () => (await this.#client.exchange('GET', shipsPath('v2'), {})).code === 200);
  }

  #fail(): void {
    this.#webhook.answer = () => ({ code: 500, body: 'broken' });
  }

  async #change(method: string, path: string, request: Request): Promise<void> {
    const { code, body } = await this.#client.send(method, path, request);
    if (code > 201) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`);
  }

  async #revision(): Promise<string> {
    const { body } = await this.#client.send('GET', shipsPath());
    return (body['metadata'] as { resourceVersion: string }).resourceVersion;
  }

  async #reads(when: string, since: string, version = 'v2'): Promise<void> {
    const path = shipsPath(version);
    const gets = {
      'a list of any version': '?resourceVersion=0',
      'a consistent list': '',
      'a first page': '?limit=2',
      'a first page of any version': '?limit=2&resourceVersion=0',
      'a list of an exact version': `?resourceVersion=${since}&resourceVersionMatch=Exact`,
      'a list not older': `?resourceVersion=${since}`,
      'a list by label': '?labelSelector=a%3Db',
      'a list of one': '?fieldSelector=metadata.name%3Dtwo',
      'a get': '/two',
      'a get of any version': '/two?resourceVersion=0',
    };
    for (const [name, query] of Object.entries(gets)) {
      this.#results[`${when}, ${version}: ${name}`] = await this.#send('GET', path + query);
    }
    this.#results[`${when}, ${version}: a dry deletion of all`] = await this.#send('DELETE', `${path}?dryRun=All`);
    const withEnd = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const watches = {
      'a watch from now on': `resourceVersion=${await this.#revision()}`,
      'a watch of the latest state': '',
      'a watch of any state': 'resourceVersion=0',
      'a watch that lists': withEnd,
    };
    const ended = Object.entries(watches).map(async ([name, query]) => {
      this.#results[`${when}, ${version}: ${name}`] = await this.#watch(`${path}?watch=true&timeoutSeconds=1&${query}`);
    });
    await Promise.all(ended);
  }

  /** While the webhook fails. */
  async #writes(): Promise<void> {
    const labels = { body: { metadata: { labels: { a: 'b' } } }, contentType: merge };
    const v2 = shipsPath('v2');
    this.#results['down, v1: a patch'] = await this.#send('PATCH', `${shipsPath()}/one`, labels);
    this.#results['down, v2: a patch'] = await this.#send('PATCH', `${v2}/one`, labels);
    this.#results['down, v2: a deletion'] = await this.#send('DELETE', `${v2}/one`);
    this.#results['down, v2: a create'] = await this.#send('POST', v2, { body: ship('new', {}, 'v2') });
  }

  async #send(method: string, path: string, request: Request = {}): Promise<unknown> {
    const { code, body } = await this.#client.send(method, path, request);
    return { code, ...shortOf(body) };
  }

  async #watch(path: string): Promise<unknown> {
    const events: unknown[] = [];
    // A refused watch is answered with a Status.
    for await (const event of this.#client.watch(path)) {
      const { type, object } = event;
      events.push(object === undefined ? shortOf({ ...event }) : { type, ...shortOf(object) });
    }
    return events;
  }
}

function shortOf(body: JsonObject): object {
  const { kind, items, reason = '', message, metadata } = body;
  if (Array.isArray(items)) return { items: items.map((item) => (isJsonObject(item) ? shipOf(item) : item)) };
  if (kind === 'Status') {
    return { reason, message: (message as string).replaceAll(/(revision=|version: |current: )[1-9]\d*/g, '$1N') };
  }
  const { name } = metadata as JsonObject;
  return name === undefined ? {} : { object: shipOf(body) };
}

function shipOf({ apiVersion, metadata, spec }: JsonObject): string {
  const { name = null, labels = {} } = metadata as JsonObject;
  return [apiVersion, name, labels, spec].map((part) => JSON.stringify(part)).join(' ');
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await isTrue()) return;
    await sleep(50);
  }
  throw new Error('waited for too long');
}
