import { setTimeout } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from '../../src/api/json/json.ts';
import { normalizeValue } from '../../test/recorded/differential/normalize.ts';
import { type ApiResponse, ApiClient } from '../../test/api-client.ts';
import type { TestServer } from '../../test/server-fixture.ts';
import { causesOf, type RecordedCause } from '../../test/recorded/validation/answer.ts';
import { allBases, type Base, namespace } from './bases.ts';
import { type CaseId, type Choice, casesOf, keyOf, requestOf } from './cases.ts';
import type { WalkRequest } from './ways.ts';

/** A response without what differs between servers. */
export interface WalkResponse {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly causes: readonly RecordedCause[];
}

export interface Walked {
  readonly base: Base;
  readonly id: CaseId;
  readonly key: string;
  readonly answer: WalkResponse;
}

const finish = 64;

/** A server to which cases are sent, kind by kind. */
export class WalkedServer implements Disposable {
  readonly #client: ApiClient;

  private constructor(client: ApiClient) {
    this.#client = client;
  }

  static async connect(server: Pick<TestServer, 'url' | 'kubeconfigPath'>): Promise<WalkedServer> {
    const client = await ApiClient.connect(server);
    await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } });
    return new WalkedServer(client);
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }

  /** Sends the selected cases of every resource matching `label`, yielding results as they arrive. */
  async *walk(choice: Choice, label = /./): AsyncGenerator<Walked> {
    for (const base of allBases().filter((each) => label.test(each.label))) {
      yield* this.play(base, casesOf(base, choice));
    }
  }

  /** Sends cases of one resource, with an object to update in place. */
  async *play(base: Base, ids: Iterable<CaseId>): AsyncGenerator<Walked> {
    const stored = await this.store(base);
    if (stored === undefined) return;
    try {
      for (const some of chunks(ids, finish)) {
        yield* await Promise.all(some.map((id) => this.#send(base, stored, id)));
      }
    } finally {
      if (base.resource.verbs.includes('delete')) await this.remove(base);
    }
  }

  /** Sends arbitrary requests in sequence; returns the responses by key. */
  async ask(requests: ReadonlyMap<string, WalkRequest>): Promise<ReadonlyMap<string, WalkResponse>> {
    const body = { metadata: { name: 'kube-root' }, data: { a: 'b' } };
    await this.#client.send('POST', `/api/v1/namespaces/${namespace}/configmaps`, { body });
    const answers = new Map<string, WalkResponse>();
    for (const [name, request] of requests) answers.set(name, await this.#ask(request));
    return answers;
  }

  /** The response as sent. */
  async send({ method, path, contentType, body }: WalkRequest): Promise<ApiResponse> {
    const sent = body === '' ? undefined : Buffer.from(body);
    const { code, bytes, headers } = await this.#client.sendBytes(method, path, { 'content-type': contentType }, sent);
    return { code, headers, body: statusOf(bytes) };
  }

  async #ask(request: WalkRequest): Promise<WalkResponse> {
    try {
      return answerOf(await this.send(request));
    } catch (error) {
      if (!isReset(error)) throw error;
      return noResponse;
    }
  }

  async #send(base: Base, stored: JsonObject, id: CaseId): Promise<Walked> {
    const answer = await this.#ask(requestOf(base, stored, id));
    return { base, id, key: keyOf(base, id), answer };
  }

  /** Undefined if the server does not serve the resource. */
  async store({ resource, collection, name, object }: Base): Promise<JsonObject | undefined> {
    if (!resource.verbs.includes('get')) return object;
    const { code } = await this.#client.sendBytes('GET', collection, {});
    if (code === 404) return undefined;
    const created = await this.#client.send('POST', collection, { body: object });
    if (created.code !== 201) throw new Error(`${collection}: ${JSON.stringify(created.body)}`);
    const body = await this.#settled(`${collection}/${name}`);
    const metadata = isJsonObject(body['metadata']) ? { ...body['metadata'] } : {};
    delete metadata['managedFields'];
    return { ...body, metadata };
  }

  /** The object once it stops changing: the server's controllers write to some kinds. */
  async #settled(path: string): Promise<JsonObject> {
    let { body } = await this.#client.send('GET', path);
    for (let version = ''; isLookedAt(path) && version !== versionOf(body);) {
      version = versionOf(body);
      await setTimeout(500);
      ({ body } = await this.#client.send('GET', path));
    }
    return body;
  }

  /** Removes a stored object, whatever holds it. */
  async remove({ resource, collection, name, object }: Base): Promise<void> {
    const path = `${collection}/${name}`;
    await this.#client.send('DELETE', `${path}?gracePeriodSeconds=0`);
    // No controller would remove the finalizers.
    const contentType = 'application/merge-patch+json';
    await this.#client.send('PATCH', path, { body: { metadata: { finalizers: null } }, contentType });
    if (resource.subresources.some((subresource) => subresource.name === 'finalize')) {
      await this.#client.send('PUT', `${path}/finalize`, { body: { ...object, spec: { finalizers: [] } } });
    }
    const { code } = await this.#client.send('GET', path);
    if (code !== 404) throw new Error(`${path} stays`);
  }
}

/** A body that is not JSON is a message. */
function statusOf(bytes: Buffer): JsonObject {
  const text = bytes.toString();
  // A Status is an object.
  return text.startsWith('{') ? (JSON.parse(text) as JsonObject) : { message: text };
}

/** A request that makes the reference panic gets no response: its stream is reset. */
const noResponse: WalkResponse = { code: 0, reason: '', message: '', causes: [] };

function isLookedAt(path: string): boolean {
  return /\/(?:customresourcedefinitions|apiservices|flowschemas|prioritylevelconfigurations|servicecidrs)\//.test(
    path,
  );
}

function versionOf({ metadata }: JsonObject): string {
  return isJsonObject(metadata) ? String(metadata['resourceVersion']) : '';
}

function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_HTTP2_STREAM_ERROR';
}

function answerOf({ code, body }: Pick<ApiResponse, 'code' | 'body'>): WalkResponse {
  // For successes only the code counts.
  if (code < 400) return { code, reason: '', message: '', causes: [] };
  const text = (value: unknown): string => (typeof value === 'string' ? withoutRun(value) : '');
  const causes = causesOf(body).map(([reason, message, field]): RecordedCause => [reason, withoutRun(message), field]);
  return { code, reason: text(body['reason']), message: text(body['message']), causes };
}

/** Removes what differs between servers; the object resulting from a patch adds no information. */
function withoutRun(text: string): string {
  return String(normalizeValue(text)).replace(/((?:patch: |^)Invalid value: )"(?:[^"\\]|\\.)*"/s, '$1(object)');
}

function* chunks<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let chunk: T[] = [];
  for (const item of items) {
    if (chunk.push(item) < size) continue;
    yield chunk;
    chunk = [];
  }
  yield chunk;
}
