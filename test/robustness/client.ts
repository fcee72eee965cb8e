import { setTimeout as sleep } from 'node:timers/promises';
import { outcomeOf } from './answers.ts';
import type { ApiResponse, Request } from '../api-client.ts';
import { type Connected, Connection, type Endpoint } from './connection.ts';
import { member, objectOf, patchOf, sideOf, type Subject, writtenText } from './objects.ts';
import type { Random } from './random.ts';
import type { Action, Freshness, ObjectState, Operation, Outcome, ReadAction, WriteAction } from './recorded.ts';

/** State shared by all clients of a run. */
export interface Workload {
  readonly subject: Subject;
  readonly names: readonly string[];
  readonly operations: Operation[];
  /** The last known state of each name, so that preconditions often hold. */
  readonly seen: Map<string, ObjectState>;
  /** The previous object with the same name, so that some preconditions fail. */
  readonly replaced: Map<string, ObjectState>;
  /** The latest revision seen by any client. */
  seenRevision: number;
}

const operationTimeoutMs = 4000;
const reconnectMs = 50;
const maxPauseMs = 12;

/** A client that sends one request after another, chosen by its seed. */
export class Client {
  readonly name: string;
  readonly #connection: Connection;
  readonly #random: Random;
  readonly #workload: Workload;
  #writes = 0;

  constructor(name: string, endpoint: Endpoint, random: Random, workload: Workload) {
    this.name = name;
    this.#connection = new Connection(endpoint);
    this.#random = random;
    this.#workload = workload;
  }

  connected(): Promise<Connected> {
    return this.#connection.get();
  }

  /** Cuts the connection, even during a request. */
  drop(): void {
    this.#connection.drop();
  }

  async run(until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      const verb = this.#random.weighted({ create: 2, update: 4, patch: 3, delete: 2, get: 3, list: 3, pages: 1 });
      const name = this.#random.pick(this.#workload.names);
      if (verb === 'pages') await this.#readPages();
      else if (verb === 'get')
        await this.do({ verb, name, freshness: this.#freshness(['latest', 'any', 'notOlderThan']) });
      else if (verb === 'list') await this.#readList();
      else await this.do(this.#write(verb, name));
      await sleep(this.#random.integer(0, maxPauseMs));
    }
  }

  /**
   * Leaves every name with an object on the right, after one on the left, so that watches of all selections get an
   * event. Returns the last revision of each name; names that could not be written are omitted.
   */
  async leaveAll(deadlineMs: number): Promise<ReadonlyMap<string, number>> {
    const revisions = new Map<string, number>();
    for (const name of this.#workload.names) {
      for (const side of ['left', 'right']) {
        const revision = await this.#put(name, side, deadlineMs);
        if (revision !== undefined) revisions.set(name, revision);
      }
    }
    await this.do({ verb: 'list', freshness: { kind: 'latest' }, side: undefined, limit: 0, behind: undefined });
    return revisions;
  }

  async #put(name: string, side: string, deadlineMs: number): Promise<number | undefined> {
    while (performance.now() < deadlineMs) {
      const current = await this.do({ verb: 'get', name, freshness: { kind: 'latest' } });
      const write = this.#mark(side);
      if (current.kind === 'object' || current.kind === 'absent') {
        const expected = current.kind === 'object' ? current.object.revision : undefined;
        const done = await this.do(
          expected === undefined ? { verb: 'create', name, write } : { verb: 'update', name, write, expected },
        );
        if (done.kind === 'object') return done.object.revision;
      }
      await sleep(reconnectMs);
    }
    return undefined;
  }

  /** A new mark of a write that sets this label. */
  #mark(side?: string): string {
    for (;;) {
      this.#writes += 1;
      const write = `${this.name}-${this.#writes}`;
      if (side === undefined || sideOf(write) === side) return write;
    }
  }

  #write(verb: WriteAction['verb'], name: string): WriteAction {
    const { seen: latest, replaced } = this.#workload;
    const seen = (this.#random.chance(0.2) ? replaced : latest).get(name);
    const expected = this.#random.chance(0.4) ? seen?.revision : undefined;
    switch (verb) {
      case 'create':
        return { verb, name, write: this.#mark() };
      case 'update':
        return { verb, name, write: this.#mark(), expected: seen?.revision ?? 1 };
      case 'patch':
        return { verb, name, write: this.#mark(), expected };
      default:
        return { verb, name, expected, uid: this.#random.chance(0.4) ? seen?.uid : undefined };
    }
  }

  #freshness(kinds: readonly Freshness['kind'][]): Freshness {
    const kind = this.#random.pick(kinds);
    if (kind === 'latest' || kind === 'any') return { kind };
    const back = kind === 'exact' ? this.#random.integer(0, 60) : this.#random.integer(0, 5);
    return { kind, revision: Math.max(1, this.#workload.seenRevision - back) };
  }

  async #readList(): Promise<void> {
    const freshness = this.#freshness(['latest', 'any', 'notOlderThan', 'exact']);
    const side = this.#random.chance(0.3) ? this.#random.pick(['left', 'right']) : undefined;
    await this.do({ verb: 'list', freshness, side, limit: 0, behind: undefined });
  }

  /** A paged list, with time for concurrent writes between pages. */
  async #readPages(): Promise<void> {
    let freshness = this.#freshness(['latest', 'notOlderThan', 'exact']);
    let behind: string | undefined;
    let token = '';
    for (;;) {
      const action = { verb: 'list', freshness, side: undefined, limit: 2, behind } as const;
      const { outcome, answer } = await this.#ask(action, token);
      if (outcome.kind !== 'list' || !outcome.more) return;
      token = writtenText(member(answer?.body, 'metadata'), 'continue');
      behind = outcome.items.at(-1)?.name;
      freshness = { kind: 'exact', revision: outcome.revision };
      await sleep(this.#random.integer(0, 3 * maxPauseMs));
    }
  }

  async do(action: Action): Promise<Outcome> {
    return (await this.#ask(action, '')).outcome;
  }

  /** Requests that never reached a server are not recorded. */
  async #ask(
    action: Action,
    token: string,
  ): Promise<{ readonly outcome: Outcome; readonly answer: ApiResponse | undefined }> {
    let connected;
    try {
      connected = await this.#connection.get();
    } catch (error) {
      await sleep(reconnectMs);
      return { outcome: { kind: 'unknown', detail: String(error) }, answer: undefined };
    }
    const { method, path, ...request } = requestOf(this.#workload.subject, action, token);
    const invokedMs = performance.now();
    let answer: ApiResponse | undefined;
    let outcome: Outcome;
    try {
      const signal = AbortSignal.timeout(operationTimeoutMs);
      answer = await connected.client.send(method, path, { ...request, signal });
      outcome = readOutcome(answer);
    } catch (error) {
      this.#connection.drop();
      // Responses that are not JSON are not from the API.
      outcome = { kind: error instanceof SyntaxError ? 'unexpected' : 'unknown', detail: String(error) };
    }
    const { server } = connected;
    const operation = { client: this.name, server, invokedMs, returnedMs: performance.now(), action, outcome };
    this.#workload.operations.push(operation);
    this.#learn(outcome);
    return { outcome, answer };
  }

  #learn(outcome: Outcome): void {
    const objects = outcome.kind === 'object' ? [outcome.object] : outcome.kind === 'list' ? outcome.items : [];
    for (const object of objects) this.#learnObject(object);
    const revisions = objects.map(({ revision }) => revision);
    if (outcome.kind === 'list') revisions.push(outcome.revision);
    this.#workload.seenRevision = Math.max(this.#workload.seenRevision, ...revisions);
  }

  #learnObject(object: ObjectState): void {
    const { seen, replaced } = this.#workload;
    const before = seen.get(object.name);
    if (before !== undefined && before.revision >= object.revision) return;
    if (before !== undefined && before.uid !== object.uid) replaced.set(object.name, before);
    seen.set(object.name, object);
  }
}

/** An unreadable response is a fault of the server, not a missing response. */
function readOutcome(answer: ApiResponse): Outcome {
  try {
    return outcomeOf(answer);
  } catch (error) {
    return { kind: 'unexpected', detail: String(error) };
  }
}

type HttpRequest = Request & { readonly method: string; readonly path: string };

function requestOf(subject: Subject, action: Action, token: string): HttpRequest {
  const { collectionPath } = subject;
  const pathOf = (name: string): string => `${collectionPath}/${name}`;
  switch (action.verb) {
    case 'create':
      return { method: 'POST', path: collectionPath, body: objectOf(subject, action.name, action.write) };
    case 'update':
      return {
        method: 'PUT',
        path: pathOf(action.name),
        body: withVersion(objectOf(subject, action.name, action.write), action.expected),
      };
    case 'patch':
      return {
        method: 'PATCH',
        path: pathOf(action.name),
        contentType: 'application/merge-patch+json',
        body: withVersion(patchOf(action.write), action.expected),
      };
    case 'delete': {
      const resourceVersion = action.expected?.toString();
      const preconditions = { uid: action.uid, resourceVersion };
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions };
      return { method: 'DELETE', path: pathOf(action.name), body };
    }
    default:
      return { method: 'GET', path: readPath(collectionPath, action, token) };
  }
}

function withVersion(object: ReturnType<typeof objectOf>, revision: number | undefined): unknown {
  const metadata = member(object, 'metadata');
  return revision === undefined || typeof metadata !== 'object'
    ? object
    : { ...object, metadata: { ...metadata, resourceVersion: String(revision) } };
}

function readPath(collectionPath: string, action: ReadAction, token: string): string {
  const query = new URLSearchParams();
  const { freshness } = action;
  if (token === '') {
    if (freshness.kind !== 'latest')
      query.set('resourceVersion', 'revision' in freshness ? String(freshness.revision) : '0');
  } else query.set('continue', token);
  if (action.verb === 'get') return `${collectionPath}/${action.name}?${query.toString()}`;
  if (token === '' && 'revision' in freshness) {
    query.set('resourceVersionMatch', freshness.kind === 'exact' ? 'Exact' : 'NotOlderThan');
  }
  if (action.limit > 0) query.set('limit', String(action.limit));
  if (action.side !== undefined) query.set('labelSelector', `side=${action.side}`);
  return `${collectionPath}?${query.toString()}`;
}
