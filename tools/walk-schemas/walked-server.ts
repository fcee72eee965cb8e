import { isJsonObject, type JsonObject } from '../../src/api/json.ts';
import { normalizeValue } from '../../test/differential/normalize.ts';
import { ApiClient } from '../../test/api-client.ts';
import type { TestServer } from '../../test/server-fixture.ts';
import { causesOf, type RecordedCause } from '../record-validation/answer.ts';
import { allBases, type Base, namespace } from './bases.ts';
import { type CaseId, type Choice, casesOf, keyOf, requestOf } from './cases.ts';

/** What an answer says, without what differs from one server to the next. */
export interface WalkAnswer {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly causes: readonly RecordedCause[];
}

export interface Walked {
  readonly base: Base;
  readonly id: CaseId;
  readonly key: string;
  readonly answer: WalkAnswer;
}

const atOnce = 64;

/** A server that is sent cases, kind by kind. */
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

  /** Sends the chosen cases of every resource that the label names, and what came back as it comes. */
  async *walk(choice: Choice, label = /./): AsyncGenerator<Walked> {
    for (const base of allBases().filter((each) => label.test(each.label))) {
      yield* this.play(base, casesOf(base, choice));
    }
  }

  /** Sends cases of one resource, with an object to change in place. */
  async *play(base: Base, ids: Iterable<CaseId>): AsyncGenerator<Walked> {
    const stored = await this.#store(base);
    try {
      for (const some of chunks(ids, atOnce)) {
        yield* await Promise.all(some.map((id) => this.#send(base, stored, id)));
      }
    } finally {
      if (base.resource.verbs.includes('delete')) await this.#remove(base);
    }
  }

  async #send(base: Base, stored: JsonObject, id: CaseId): Promise<Walked> {
    const { method, path, contentType, body } = requestOf(base, stored, id);
    const answer = await this.#client.send(method, path, { body: Buffer.from(body), contentType });
    return { base, id, key: keyOf(base, id), answer: answerOf(answer.code, answer.body) };
  }

  async #store({ resource, collection, name, object }: Base): Promise<JsonObject> {
    if (!resource.verbs.includes('get')) return object;
    const created = await this.#client.send('POST', collection, { body: object });
    if (created.code !== 201) throw new Error(`${collection}: ${JSON.stringify(created.body)}`);
    const { body } = await this.#client.send('GET', `${collection}/${name}`);
    const metadata = isJsonObject(body['metadata']) ? { ...body['metadata'] } : {};
    delete metadata['managedFields'];
    return { ...body, metadata };
  }

  async #remove({ collection, name }: Base): Promise<void> {
    const path = `${collection}/${name}`;
    const finalizers = { metadata: { finalizers: null }, spec: { finalizers: null } };
    await this.#client.send('DELETE', `${path}?gracePeriodSeconds=0`);
    for (let attempt = 0; attempt < 50; attempt++) {
      const { code } = await this.#client.send('PATCH', path, {
        body: finalizers,
        contentType: 'application/merge-patch+json',
      });
      if (code === 404) return;
    }
    throw new Error(`${path} stays`);
  }
}

function answerOf(code: number, body: JsonObject): WalkAnswer {
  // What is taken is told by its code.
  if (code < 400) return { code, reason: '', message: '', causes: [] };
  const text = (value: unknown): string => (typeof value === 'string' ? String(normalizeValue(value)) : '');
  return { code, reason: text(body['reason']), message: text(body['message']), causes: causesOf(body) };
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
