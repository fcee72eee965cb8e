import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import type { ApiClient } from '../../test/api-client.ts';
import { outcomeOf } from '../../test/controllers/outcome.ts';
import { inParallel } from '../../test/in-parallel.ts';
import { Random } from '../random-objects/repeatable-random.ts';
import { type Deeds, pathOfUid, type Step, type Subject } from './subject.ts';

const patchType = 'application/merge-patch+json';
const atOnce = 16;

export function deedsOf(subject: Subject, seed: number): Deeds {
  return subject.deeds(new Random(seed), spaceOf(subject, seed));
}

/** The namespace of a seed. */
function spaceOf({ name }: Subject, seed: number): string {
  return `${name}-${seed}`;
}

/** Does what all seeds say. */
export async function playSubject(client: ApiClient, subject: Subject, seeds: readonly number[]): Promise<void> {
  for (const step of subject.setUp) await play(client, step);
  await inParallel(seeds, atOnce, async (seed) => {
    for (const step of deedsOf(subject, seed).steps) await play(client, step);
  });
}

async function play(client: ApiClient, step: Step): Promise<void> {
  if ('pauseMs' in step) {
    await sleep(step.pauseMs);
    return;
  }
  const { method, path, body } = step;
  const known = body === undefined ? undefined : await withUids(client, JSON.parse(JSON.stringify(body)) as JsonValue);
  const request = known === undefined ? {} : { body: known, ...(method === 'PATCH' ? { contentType: patchType } : {}) };
  await client.exchange(method, path, request);
}

/** With the uids of the objects that texts stand for; those that are not there have one that nobody has. */
async function withUids(client: ApiClient, value: JsonValue): Promise<JsonValue> {
  if (typeof value === 'string') {
    const path = pathOfUid(value);
    if (path === undefined) return value;
    const { metadata } = (await client.send('GET', path)).body;
    const uid = isJsonObject(metadata) ? metadata['uid'] : undefined;
    return uid ?? 'nobody';
  }
  if (Array.isArray(value)) return Promise.all(value.map((item: JsonValue) => withUids(client, item)));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(
    async ([key, item]) => [key, await withUids(client, item ?? null)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** What there is now in the namespace of a seed. */
export async function readOutcome(client: ApiClient, subject: Subject, seed: number): Promise<JsonObject> {
  const outcome: JsonObject = {};
  for (const path of deedsOf(subject, seed).reads) {
    const { code, body } = await client.send('GET', path);
    outcome[path] = code === 200 ? withoutIdentities(outcomeOf(body)) : code;
  }
  return outcome;
}

const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Some forget what their name was generated from. */
const generatedName = /("name":"[^"]*-)[bcdfghjklmnpqrstvwxz2456789]{5}"/g;

/** Counts writes, some of which fall together. */
const generation = /"generation":\d+,/g;

export function withoutIdentities<T extends JsonValue>(value: T): T {
  const text = JSON.stringify(value)
    .replaceAll(uid, '<uid>')
    .replaceAll(generatedName, '$1*"')
    .replaceAll(generation, '');
  return JSON.parse(text) as T; // of the same form
}

/** What there is when nothing has changed for some time. */
export async function settledOutcomes(
  client: ApiClient,
  subject: Subject,
  seeds: readonly number[],
  restMs: number,
): Promise<ReadonlyMap<number, JsonObject>> {
  const read = async (): Promise<ReadonlyMap<number, JsonObject>> => {
    const outcomes = new Map<number, JsonObject>();
    await inParallel(seeds, atOnce, async (seed) => outcomes.set(seed, await readOutcome(client, subject, seed)));
    return outcomes;
  };
  let last = await read();
  for (let since = Date.now(); Date.now() - since < restMs; await sleep(500)) {
    const next = await read();
    if (isDeepStrictEqual(next, last)) continue;
    last = next;
    since = Date.now();
  }
  return last;
}
