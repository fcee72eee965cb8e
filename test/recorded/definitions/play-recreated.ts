import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/json/json.ts';
import { ApiClient, type Request } from '../../api-client.ts';
import { definitionsPath } from '../../definitions/definitions.ts';

/* A definition that is deleted and created again, the same or with another schema, scope, version or kind, while its
   instances are watched. */

/** Responses by step, in short; watches with their events, and whether they have ended. */
export type PlayedAgain = { readonly [step: string]: unknown };

export interface Pace {
  /** Until the server has followed a change. */
  readonly settleMs: number;
}

interface Shape {
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly version?: string;
  readonly kind?: string;
  readonly shortName?: string;
  readonly properties?: JsonObject;
}

const group = 'again.example.com';
const text = { type: 'string' };
const first: Shape = { properties: { name: text, size: { type: 'integer' } } };

/** What the definition becomes. */
const successors: { readonly [name: string]: Shape } = {
  same: first,
  schema: { properties: { name: text, size: text, color: { type: 'string', default: 'red' } } },
  scope: { ...first, scope: 'Cluster' },
  version: { ...first, version: 'v2' },
  kind: { ...first, kind: 'Vessel', shortName: 'vs' },
};

function definitionOf(plural: string, shape: Shape): object {
  const { scope = 'Namespaced', version = 'v1', kind = 'Boat', shortName = 'bt', properties = {} } = shape;
  const names = { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List`, shortNames: [shortName] };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, names, scope, versions: [{ name: version, served: true, storage: true, schema }] },
  };
}

export async function playRecreated(
  server: { readonly url: string; readonly kubeconfigPath: string },
  pace: Pace,
): Promise<PlayedAgain> {
  using client = await ApiClient.connect(server);
  const results: { [step: string]: unknown } = {};
  for (const [name, shape] of Object.entries(successors)) {
    const life = new Life(client, `${name}boats`, pace);
    for (const [step, value] of Object.entries(await life.play(shape))) results[`${name}: ${step}`] = value;
  }
  return results;
}

class Life {
  readonly #client: ApiClient;
  readonly #plural: string;
  readonly #pace: Pace;
  readonly #results: { [step: string]: unknown } = {};
  readonly #watches = new Map<string, Watched>();

  constructor(client: ApiClient, plural: string, pace: Pace) {
    this.#client = client;
    this.#plural = plural;
    this.#pace = pace;
  }

  async play(next: Shape): Promise<PlayedAgain> {
    const definition = `${definitionsPath}/${this.#plural}.${group}`;
    const old = this.#path(first);
    await this.#serve(first);
    await this.#asked('create', 'POST', old, { body: this.#boat(first, 'one', { name: 'a', size: 1 }) });
    await this.#asked('create held', 'POST', old, {
      body: this.#boat(first, 'held', { name: 'b', size: 2 }, ['example.com/hold']),
    });
    const { body } = await this.#client.send('GET', `${old}?limit=1`);
    const { resourceVersion, continue: rest } = body['metadata'] as { resourceVersion: string; continue: string };
    this.#watch('running', `${old}?watch=true&resourceVersion=${resourceVersion}`);
    await this.#asked('delete the definition', 'DELETE', definition);
    await until(async () => (await this.#client.send('GET', `${old}/one`)).code === 404);
    await sleep(this.#pace.settleMs);
    await this.#looks('terminating', first);
    await this.#asked('create while terminating', 'POST', old, { body: this.#boat(first, 'two', {}) });
    await this.#asked('define while terminating', 'POST', definitionsPath, { body: definitionOf(this.#plural, next) });
    this.#watch('terminating', `${old}?watch=true&resourceVersion=${resourceVersion}`);
    await this.#asked('change the held one', 'PATCH', `${old}/held`, merge({ spec: { size: 3 } }));
    await this.#asked('release the held one', 'PATCH', `${old}/held`, merge({ metadata: { finalizers: null } }));
    await until(async () => (await this.#client.send('GET', definition)).code === 404);
    await until(() => Promise.resolve([...this.#watches.values()].every(({ hasEnded }) => hasEnded)));
    await sleep(this.#pace.settleMs);
    await this.#looks('gone', first);
    this.#results['watches'] = this.#events();
    await this.#serve(next);
    await this.#after(next, resourceVersion, rest);
    await this.#client.send('DELETE', definition);
    await until(async () => (await this.#client.send('GET', definition)).code === 404);
    return this.#results;
  }

  /** Requests to the successor, some of which continue what was asked of the first definition. */
  async #after(next: Shape, since: string, rest: string): Promise<void> {
    const path = this.#path(next);
    await this.#looks('again', next);
    if (path !== this.#path(first)) await this.#asked('again: the old path', 'GET', this.#path(first));
    await this.#asked('again: an old watch', 'GET', `${path}?watch=true&timeoutSeconds=1&resourceVersion=${since}`);
    await this.#asked('again: the old state', 'GET', `${path}?resourceVersionMatch=Exact&resourceVersion=${since}`);
    await this.#asked('again: the rest of an old list', 'GET', `${path}?limit=1&continue=${rest}`);
    this.#watch('again', `${path}?watch=true&resourceVersion=0`);
    await this.#asked('again: create', 'POST', path, { body: this.#boat(next, 'one', { name: 'n', size: 5 }) });
    await this.#asked('again: create fitting', 'POST', path, { body: this.#boat(next, 'two', { name: 'n' }) });
    await this.#asked('again: apply', 'PATCH', `${path}/two?fieldManager=m&force=true`, {
      body: this.#boat(next, 'two', { name: 'applied' }),
      contentType: 'application/apply-patch+yaml',
    });
    await until(() => Promise.resolve(this.#watches.get('again')?.events.at(-1)?.includes('applied') === true));
    await sleep(this.#pace.settleMs);
    this.#results['watches again'] = this.#events();
  }

  async #looks(when: string, shape: Shape): Promise<void> {
    const path = this.#path(shape);
    await this.#asked(`${when}: list`, 'GET', path);
    await this.#asked(`${when}: get`, 'GET', `${path}/held`);
    await this.#asked(`${when}: discovery`, 'GET', `/apis/${group}/${shape.version ?? 'v1'}`);
  }

  async #serve(shape: Shape): Promise<void> {
    const body = definitionOf(this.#plural, shape);
    const { code } = await this.#client.send('POST', definitionsPath, { body });
    if (code !== 201) throw new Error(`the definition is refused with ${code}`);
    await until(async () => (await this.#client.exchange('GET', this.#path(shape), {})).code === 200);
    await sleep(this.#pace.settleMs);
  }

  #path({ version = 'v1', scope }: Shape): string {
    return `/apis/${group}/${version}/${scope === 'Cluster' ? '' : 'namespaces/default/'}${this.#plural}`;
  }

  #boat({ version = 'v1', kind = 'Boat' }: Shape, name: string, spec: object, finalizers?: readonly string[]): object {
    const metadata = { name, ...(finalizers && { finalizers }) };
    return { apiVersion: `${group}/${version}`, kind, metadata, spec };
  }

  async #asked(step: string, method: string, path: string, request: Request = {}): Promise<void> {
    const { code, text: answer } = await this.#client.exchange(method, path, request);
    this.#results[step] = { code, answer: answer.split('\n').filter(Boolean).map(shortOf) };
  }

  #watch(name: string, path: string): void {
    const watched: Watched = { events: [], hasEnded: false };
    this.#watches.set(name, watched);
    const follow = async (): Promise<void> => {
      try {
        for await (const { type, object } of this.#client.watch(path)) {
          watched.events.push(`${type} ${shortOf(JSON.stringify(object ?? {}))}`);
        }
      } finally {
        watched.hasEnded = true;
      }
    };
    follow().catch(() => undefined); // the client was closed
  }

  #events(): JsonValue {
    return Object.fromEntries([...this.#watches].map(([name, watched]) => [name, structuredClone({ ...watched })]));
  }
}

interface Watched {
  readonly events: string[];
  hasEnded: boolean;
}

function merge(body: object): Request {
  return { body, contentType: 'application/merge-patch+json' };
}

/** One line of an object, list or status, without what varies. */
function shortOf(line: string): string {
  let body: JsonValue;
  try {
    body = JSON.parse(line) as JsonValue;
  } catch {
    return line;
  }
  if (!isJsonObject(body)) return line;
  const { items, metadata, reason = '', message, type, object, spec } = body;
  const kind = body['kind'] as string; // objects and lists have one, events have none
  if (typeof type === 'string' && isJsonObject(object)) return `${type} ${shortOf(JSON.stringify(object))}`;
  if (Array.isArray(items)) return `${kind} [${items.map((item) => shortOf(JSON.stringify(item))).join(', ')}]`;
  if (kind === 'Status') {
    return [reason, message ?? '']
      .map(String)
      .join(': ')
      .replaceAll(/\b\d{2,}\b/g, 'N');
  }
  if (kind === 'CustomResourceDefinition') return 'a definition';
  if (kind === 'APIResourceList') return JSON.stringify(body['resources']);
  const { name, finalizers, deletionTimestamp } = metadata as { readonly [name: string]: string };
  const held = finalizers === undefined ? '' : ` ${JSON.stringify(finalizers)}`;
  return `${kind} ${name}${held}${deletionTimestamp === undefined ? '' : ' deleting'} ${JSON.stringify(spec)}`;
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1200; tries += 1) {
    if (await isTrue()) return;
    await sleep(50);
  }
  throw new Error('waited for too long');
}
