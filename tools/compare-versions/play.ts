import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '../../src/api/json/json.ts';
import type { ApiResponse, ApiClient } from '../../test/api-client.ts';
import { Random } from '../random-objects/repeatable-random.ts';
import { Comparable } from './comparable.ts';
import { changeVersions, definitionOf, group, randomVersions, type RandomVersion } from './random-definition.ts';
import { collectionOf, randomRequest, type RandomRequest } from './random-request.ts';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const phases = 4;
const requestsPerPhase = 14;

/** A request and what is comparable of its response. */
export interface Played {
  readonly request: string;
  readonly answer: JsonValue;
}

export interface PlayOptions {
  /** Part of the names of definitions, so that a server can be used again. */
  readonly run?: string;
  /** Whether a step is not sent. */
  readonly isLeftOut?: (at: number) => boolean;
}

/** The step of an answer of the reference that is its own fault: see `docs/validation.md`. */
export function isFaultOfReference({ answer }: Played): boolean {
  const { message = '' } = answer as { message?: string | null };
  if (JSON.stringify(answer).includes('storage is (re)initializing')) return true;
  return (
    message?.includes('field not declared in schema') === true && !message.startsWith('failed to create typed patch')
  );
}

/** Random requests through all versions of a definition, which changes now and then. */
export async function playVersions(
  client: ApiClient,
  seed: number,
  { run = '', isLeftOut = () => false }: PlayOptions = {},
): Promise<readonly Played[]> {
  const random = new Random(seed);
  const plural = `kinds${run}${seed}`;
  const versions = randomVersions(random);
  const versionNames = versions.map(({ name }) => name);
  const comparable = new Comparable(plural);
  const played: Played[] = [];
  for (let phase = 0; phase < phases; phase += 1) {
    if (phase > 0) changeVersions(random, versions);
    const request = `phase ${phase}: ${JSON.stringify(definitionOf(plural, versions, `C${phase}`)['spec'])}`;
    const answer = await define(client, plural, { versions, phase });
    played.push({ request, answer });
    // What follows would be about another definition.
    if (Number(answer['code']) >= 400) break;
    for (let step = 0; step < requestsPerPhase; step += 1) {
      const version = random.pick(versions.filter(({ served }) => served));
      if (version === undefined) break;
      const call = randomRequest(random, { plural, version, versionNames });
      played.push(
        isLeftOut(played.length) ? { request: 'left out', answer: null } : await sent(client, call, comparable),
      );
    }
  }
  await client.send('DELETE', `${definitionsPath}/${plural}.${group}`);
  return played;
}

async function define(
  client: ApiClient,
  plural: string,
  { versions, phase }: { readonly versions: readonly RandomVersion[]; readonly phase: number },
): Promise<JsonObject> {
  const column = `C${phase}`;
  const body = definitionOf(plural, versions, column);
  const { name } = body['metadata'] as { name: string };
  const path = `${definitionsPath}/${name}`;
  const create = async (): Promise<JsonObject> => {
    const { code } = await client.send('POST', definitionsPath, { body });
    return { code };
  };
  if (phase === 0) return outcomeOf(client, { plural, versions, column }, await create());
  const stored = { status: { storedVersions: versions.map((version) => version.name) } };
  await client.send('PATCH', `${path}/status`, { body: stored, contentType: 'application/merge-patch+json' });
  const change = { spec: { versions: (body['spec'] as JsonObject)['versions'] ?? [] } };
  const answer = await client.send('PATCH', path, { body: change, contentType: 'application/merge-patch+json' });
  return outcomeOf(client, { plural, versions, column }, { code: answer.code });
}

/** Waits until the definition is served everywhere. */
async function outcomeOf(
  client: ApiClient,
  {
    plural,
    versions,
    column,
  }: { readonly plural: string; readonly versions: readonly RandomVersion[]; readonly column: string },
  answer: JsonObject,
): Promise<JsonObject> {
  const code = Number(answer['code']);
  if (code !== 200 && code !== 201) return answer;
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  for (const { name, served } of versions) {
    const path = `${collectionOf(plural, name)}?limit=1`;
    for (;;) {
      const { code: found, text } = await client.exchange('GET', path, { headers: { accept } });
      if (served ? text.includes(`"name":"${column}"`) || found === 429 || found === 500 : found === 404) break;
      await sleep(20);
    }
  }
  return answer;
}

async function sent(client: ApiClient, asked: RandomRequest, comparable: Comparable): Promise<Played> {
  const { method, path, contentType, accept, edit } = asked;
  if (method === 'WATCH') {
    const events: JsonValue[] = [];
    for await (const event of client.watch(path)) {
      // A refusal is a Status.
      const { type = null, object = event as unknown as JsonObject } = event as Partial<typeof event>;
      events.push({ type, object: comparable.of(200, object) });
    }
    return { request: `WATCH ${path}`, answer: events };
  }
  let { body } = asked;
  if (edit !== undefined) {
    const found = await client.exchange('GET', path.replace(/\?.*/, ''), {});
    if (found.code !== 200) return { request: `GET ${path}`, answer: answerOf(found, comparable) };
    body = edit(JSON.parse(found.text) as JsonObject);
  }
  const answer = await client.exchange(method, path, {
    ...(body === undefined ? {} : { body }),
    ...(contentType === undefined ? {} : { contentType }),
    ...(accept === undefined ? {} : { headers: { accept } }),
  });
  return {
    request: `${method} ${path} ${contentType ?? ''} ${JSON.stringify(body)}`,
    answer: answerOf(answer, comparable),
  };
}

function answerOf(
  { code, text, headers }: { readonly code: number; readonly text: string; readonly headers: ApiResponse['headers'] },
  comparable: Comparable,
): JsonValue {
  // Paths that are not served are answered by text.
  if (!text.startsWith('{')) return { code, text };
  const shown = comparable.of(code, JSON.parse(text) as JsonObject);
  const { warning } = headers;
  return warning === undefined ? shown : { ...shown, warning: String(warning) };
}
