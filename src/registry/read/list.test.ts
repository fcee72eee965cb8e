import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../api/time/clock.ts';
import { deadlineIn } from '../../api/time/deadline.ts';
import { parseLabelSelector } from '../../api/selectors/label-selector.ts';
import { type Status, StatusError } from '../../api/errors/status.ts';
import type { Storage } from '../../storage/contract.ts';
import { openEmbeddedStorage } from '../../storage/embedded/engine.ts';
import { WatchCache } from '../../watchcache/watch-cache.ts';
import { decodeContinue, encodeContinue } from './continue-token.ts';
import type { ListCost } from '../stored/list-cost.ts';
import { listObjects, type ListRequest, type ListResult } from './list.ts';
import type { StoreKind } from '../stored/store-kind.ts';

const root = await mkdtemp(join(tmpdir(), 'binnacle-lists-'));
afterAll(() => rm(root, { recursive: true }));

const keyPrefix = '/registry/things/';

/** A store of `ns/name` objects with a label, listed through a cache with a history of `windowMs`. */
class Things implements AsyncDisposable {
  readonly storage: Storage;
  readonly kind: StoreKind;
  readonly costs: Omit<ListCost, 'seconds'>[] = [];
  readonly #cache: WatchCache;

  private constructor(storage: Storage, windowMs: number, pagesAnyVersion: boolean) {
    this.storage = storage;
    this.#cache = new WatchCache({
      storage,
      prefix: keyPrefix,
      clock: systemClock,
      readAttributes: (value) => ({ labels: { color: Buffer.from(value).toString() }, fields: {} }),
      history: { windowMs, maxChanges: 1000, maxBytes: 1e9 },
    });
    // What lists use of a kind.
    this.kind = {
      keyPrefix,
      storage,
      clock: systemClock,
      pagesAnyVersion,
      resource: { namespaced: true },
      cache: () => this.#cache,
      strategy: {},
      listed: ({ from, fetched, returned }: ListCost) => this.costs.push({ from, fetched, returned }),
    } as unknown as StoreKind;
  }

  static async open(windowMs = 60_000, pagesAnyVersion = false): Promise<Things> {
    const storage = await openEmbeddedStorage({ dataDir: await mkdtemp(join(root, 'data-')) });
    return new Things(storage, windowMs, pagesAnyVersion);
  }

  async put(name: string, color = 'red'): Promise<number> {
    const key = keyPrefix + name;
    const { kv } = await this.storage.get(key);
    const expectedModRevision = kv?.modRevision ?? 0;
    return (await this.storage.put({ key, value: Buffer.from(color), expectedModRevision })).revision;
  }

  async delete(name: string): Promise<void> {
    const key = keyPrefix + name;
    const { kv } = await this.storage.get(key);
    await this.storage.delete({ key, expectedModRevision: kv?.modRevision ?? 0 });
  }

  list(request: Partial<ListRequest> & { readonly namespace?: string; readonly labels?: string }): Promise<ListResult> {
    const { namespace = 'n', labels = '', ...rest } = request;
    return listObjects(this.kind, {
      selection: { namespace, labels: parseLabelSelector(labels), fields: [] },
      resource: { group: '', resource: 'things' },
      resourceVersion: '',
      resourceVersionMatch: '',
      limit: 0,
      continue: '',
      deadlineMs: deadlineIn(10_000),
      ...rest,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#cache.close();
    await this.storage[Symbol.asyncDispose]();
  }
}

/** `a=red@5` for each. */
function texts({ entries }: ListResult): string[] {
  return entries.map(
    ({ key, value, modRevision }) => `${key.slice(keyPrefix.length)}=${Buffer.from(value).toString()}@${modRevision}`,
  );
}

async function refusal(list: Promise<ListResult>): Promise<Status> {
  try {
    await list;
  } catch (error) {
    if (error instanceof StatusError) return error.status;
    throw error;
  }
  throw new Error('the list was answered');
}

it.each([
  [false, 3],
  [true, 1],
])('a list at any version has pages: %j', async (pagesAnyVersion, count) => {
  await using things = await Things.open(undefined, pagesAnyVersion);
  for (const name of ['n/a', 'n/b', 'n/c']) await things.put(name);
  await things.list({});
  const { entries, continue: token } = await things.list({ resourceVersion: '0', limit: 1 });
  expect([entries.length, token === '']).toEqual([count, !pagesAnyVersion]);
});

/** The cache only knows the present: older states come from the store. */
const forgetful = -1;

it('tells what lists cost, and where they were read', async () => {
  await using things = await Things.open(forgetful);
  for (const name of ['n/a', 'n/b', 'n/c', 'o/d']) await things.put(name);
  await things.put('n/c', 'blue');
  const { revision } = await things.list({ labels: 'color=red' });
  await things.put('n/e');
  await things.list({ resourceVersion: String(revision), resourceVersionMatch: 'Exact', labels: 'color=blue' });
  const name = { field: 'metadata.name', operator: '=', value: 'a' } as const;
  await things.list({ selection: { namespace: 'n', labels: parseLabelSelector(''), fields: [name] } });
  expect(things.costs).toEqual([
    { from: 'cache', fetched: 3, returned: 2 },
    { from: 'store', fetched: 3, returned: 1 },
    { from: 'cache', fetched: 1, returned: 0 },
  ]);
});

describe.each([
  ['the cache', 60_000],
  ['the store', forgetful],
])('pages from %s', (_, windowMs) => {
  it('are of one revision, whatever changes between them', async () => {
    await using things = await Things.open(windowMs);
    for (const name of ['n/a', 'n/b', 'n/c', 'n/d', 'o/e']) await things.put(name);
    const first = await things.list({ limit: 2 });
    expect(texts(first)).toEqual(['n/a=red@2', 'n/b=red@3']);
    expect(first.remainingItemCount).toBe(2);
    await things.put('n/c', 'blue');
    await things.delete('n/d');
    await things.put('n/bb');
    const second = await things.list({ limit: 1, continue: first.continue });
    expect(texts(second)).toEqual(['n/c=red@4']);
    expect(second).toMatchObject({ revision: first.revision, remainingItemCount: 1 });
    const last = await things.list({ limit: 2, continue: second.continue });
    expect(texts(last)).toEqual(['n/d=red@5']);
    expect(last).toMatchObject({ revision: first.revision, continue: '', remainingItemCount: undefined });
  });

  it('of a selection do not report what remains', async () => {
    await using things = await Things.open(windowMs);
    for (const [name, color] of Object.entries({ a: 'red', b: 'blue', c: 'red', d: 'blue' }))
      await things.put(`n/${name}`, color);
    const first = await things.list({ limit: 1, labels: 'color=red' });
    expect(first.remainingItemCount).toBeUndefined();
    await things.put('n/c', 'blue');
    await things.put('n/e', 'red');
    const second = await things.list({ limit: 1, labels: 'color=red', continue: first.continue });
    expect(texts(second)).toEqual(['n/c=red@4']);
    const last = await things.list({ limit: 1, labels: 'color=red', continue: second.continue });
    expect([texts(last), last.continue]).toEqual([[], '']);
  });

  it('at a version show that version', async () => {
    await using things = await Things.open(windowMs);
    await things.put('n/a');
    const revision = await things.put('n/b');
    await things.list({});
    await things.put('n/a', 'blue');
    await things.delete('n/b');
    const exact = { resourceVersion: String(revision), resourceVersionMatch: 'Exact' };
    expect(texts(await things.list(exact))).toEqual(['n/a=red@2', 'n/b=red@3']);
    expect((await things.list({ ...exact, limit: 1 })).remainingItemCount).toBe(1);
    expect(texts(await things.list({}))).toEqual(['n/a=blue@4']);
  });
});

it.each([
  ['has forgotten', forgetful],
  ['remembers', 60_000],
])('a token at a compacted version that the cache %s offers to continue in the latest state', async (_, memory) => {
  await using things = await Things.open(memory);
  for (const name of ['n/a', 'n/b', 'n/c']) await things.put(name);
  const first = await things.list({ limit: 1 });
  await things.put('n/b', 'blue');
  await things.storage.compact(await things.put('n/d'));
  const {
    code,
    reason,
    message,
    continue: token = '',
  } = await refusal(things.list({ limit: 1, continue: first.continue }));
  expect({ code, reason }).toEqual({ code: 410, reason: 'Expired' });
  expect(message).toMatch(/^The provided continue parameter is too old to display a consistent list result\./);
  const rest = await things.list({ continue: token });
  expect(texts(rest)).toEqual(['n/b=blue@5', 'n/c=red@4', 'n/d=red@6']);
  const exact = things.list({ resourceVersion: '3', resourceVersionMatch: 'Exact' });
  expect(await refusal(exact)).toMatchObject({
    code: 410,
    reason: 'Expired',
    message: 'The resourceVersion for the provided list is too old.',
  });
});

describe('tokens', () => {
  it('say where the next page begins', () => {
    const point = { startKey: '/registry/things/n/a\0', revision: 7 };
    const token = encodeContinue(point, '/registry/things/n/');
    expect(Buffer.from(token, 'base64url').toString()).toBe('{"v":"meta.k8s.io/v1","rv":7,"start":"/a\\u0000"}');
    expect(decodeContinue(token, '/registry/things/n/')).toEqual(point);
  });

  it('never escape the prefix', () => {
    const segment = fc.constantFrom('..', '.', '', 'a', '%2e%2e', '..a', '/', '\\', 'secrets', '\0');
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 6 }), fc.integer({ min: -2, max: 9 }), (segments, rv) => {
        const token = Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv, start: segments.join('/') }));
        let startKey: string;
        try {
          ({ startKey } = decodeContinue(token.toString('base64url'), keyPrefix));
        } catch (error) {
          expect(error).toBeInstanceOf(StatusError);
          return;
        }
        expect(startKey.startsWith(keyPrefix)).toBe(true);
        expect(startKey.slice(keyPrefix.length).split('/')).not.toContain('..');
      }),
    );
  });

  it('are refused with a message if malformed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        const token = Buffer.from(text).toString('base64url');
        expect(() => decodeContinue(token, keyPrefix)).toThrow(/^invalid continue token: continue key is not valid/);
      }),
    );
  });
});
