import type { IncomingHttpHeaders } from 'node:http2';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import type { Connection } from '../compare-requests/connection.ts';
import { mediaTypes, written } from '../compare-requests/forms.ts';
import { pick, seeded } from '../random-objects/random.ts';
import { Comparable } from './comparable.ts';
import { type PlayedKind, playedKinds } from './kinds.ts';
import { randomDocument, randomReview } from './random-paths.ts';
import { randomStep } from './random-step.ts';
import type { Step } from './step.ts';

/** A request, and what is comparable of its answer. */
export interface Played {
  readonly request: string;
  readonly code: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

export interface Plan {
  readonly seed: number;
  /** Part of the names of namespaces, so that a server can be used again. */
  readonly run: string;
  readonly subject: Subject;
  /** What `objects` are of. */
  readonly kinds: readonly PlayedKind[];
  readonly steps: number;
}

/** What the requests of a play are about. */
export type Subject = 'objects' | 'documents' | 'reviews';

const comparedHeaders = [
  'content-type',
  'warning',
  'location',
  'retry-after',
  'cache-control',
  'www-authenticate',
  'allow',
  'x-content-type-options',
  'vary',
  'deprecation',
];

/** Random requests for objects of one kind, in a namespace of their own. */
export async function playRequests(
  connection: Connection,
  { seed, run, subject, kinds, steps }: Plan,
): Promise<readonly Played[]> {
  const random = seeded(seed);
  const space = `play${run}x${seed}`;
  const kind = pick(random, kinds);
  const names = kind.namespaced ? ['a', 'b', 'c'] : ['a', 'b', 'c'].map((name) => `${name}-${space}`);
  const player = new Player(connection, space);
  await player.send({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: space } }, headers: {} });
  const played: Played[] = [];
  const next: { readonly [name in Subject]: () => Step } = {
    objects: () => randomStep(random, kind, { space, names }),
    documents: () => randomDocument(random),
    reviews: () => randomReview(random, space),
  };
  for (let count = 0; count < steps; count += 1) played.push(await player.play(next[subject]()));
  if (subject === 'objects') await player.clear(kind, names);
  return played;
}

class Player {
  readonly #connection: Connection;
  readonly #comparable: Comparable;
  readonly #space: string;
  readonly #known = new Map([
    ['version', '0'],
    ['uid', 'none'],
    ['list', '0'],
    ['continue', ''],
  ]);

  constructor(connection: Connection, space: string) {
    this.#connection = connection;
    this.#space = space;
    this.#known.set('space', space);
    this.#comparable = new Comparable(space);
  }

  async play(step: Step): Promise<Played> {
    const body = step.edit === undefined ? step.body : await this.#edited(step.edit);
    const shown = typeof body === 'string' ? body : JSON.stringify(body);
    const named = `${step.method} ${step.path} ${JSON.stringify(step.headers ?? {})} ${step.form ?? ''} ${step.contentType ?? ''} ${shown ?? ''}`;
    const request = this.#comparable.text(named);
    try {
      const { headers, bytes } = await this.send({ ...step, body });
      const found = comparedHeaders.flatMap((name) => {
        const value = headers[name];
        return value === undefined ? [] : [[name, this.#comparable.text(String(value))] as const];
      });
      const type = headers['content-type'] ?? '';
      this.#learn(bytes, type);
      const text = step.method === 'HEAD' ? '' : this.#comparable.body(bytes, type);
      return { request, code: Number(headers[':status']), headers: Object.fromEntries(found), body: text };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { request, code: 0, headers: {}, body: reason };
    }
  }

  async #edited({ path, change }: NonNullable<Step['edit']>): Promise<unknown> {
    const { bytes } = await this.send({ method: 'GET', path, headers: {} });
    try {
      const { metadata, ...object } = JSON.parse(bytes.toString()) as JsonObject;
      return change(isJsonObject(metadata) ? { ...object, metadata: { ...metadata, managedFields: [] } } : object);
    } catch {
      return {};
    }
  }

  async send({ method, path, headers = {}, body, form = 'json', contentType = mediaTypes[form] }: Step): Promise<{
    readonly headers: IncomingHttpHeaders;
    readonly bytes: Buffer;
  }> {
    const text = body === undefined ? undefined : this.#written(this.#filled(body), form);
    const all = {
      accept: 'application/json',
      ...headers,
      ...(text === undefined ? {} : { 'content-type': contentType }),
    };
    return this.#connection.send({ method, path: this.#filled(path) as string, headers: all, body: text });
  }

  /** Bodies that their form cannot express are sent as JSON. */
  #written(body: unknown, form: NonNullable<Step['form']>): string | Uint8Array {
    try {
      return written(body, form);
    } catch {
      return written(body, 'json');
    }
  }

  #filled(value: unknown): unknown {
    if (typeof value === 'string')
      return value.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => this.#known.get(name) ?? '');
    if (Array.isArray(value)) return value.map((item) => this.#filled(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#filled(item)]));
  }

  #learn(bytes: Buffer, type: string): void {
    if (!type.includes('application/json')) return;
    let body: JsonValue;
    try {
      body = JSON.parse(bytes.toString()) as JsonValue;
    } catch {
      return;
    }
    if (!isJsonObject(body) || !isJsonObject(body['metadata'])) return;
    const { resourceVersion, uid, continue: next } = body['metadata'];
    const isObject = typeof uid === 'string';
    if (typeof resourceVersion === 'string') this.#known.set(isObject ? 'version' : 'list', resourceVersion);
    if (isObject) this.#known.set('uid', uid);
    if (typeof next === 'string') this.#known.set('continue', next);
  }

  async clear({ versions, namespaced }: PlayedKind, names: readonly string[]): Promise<void> {
    const version = versions[0];
    if (version === undefined || namespaced) return;
    for (const name of names) {
      const path = `${version.collection(this.#space)}/${name}`;
      await this.send({
        method: 'PATCH',
        path,
        contentType: 'application/merge-patch+json',
        body: { metadata: { finalizers: null } },
      });
      await this.send({ method: 'DELETE', path: `${path}?gracePeriodSeconds=0` });
    }
  }
}

export function chosenKinds(pattern: string, scope: string): readonly PlayedKind[] {
  return playedKinds().filter(
    ({ name, namespaced }) =>
      new RegExp(pattern).test(name) && (scope === 'all' || namespaced === (scope === 'namespaced')),
  );
}
