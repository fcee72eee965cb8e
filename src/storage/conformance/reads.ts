import { expect } from 'vitest';
import { codeOf, type Cases, type Fixture, valueText } from './fixture.ts';

export const reads: Cases = {
  'get of an absent key returns the revision': async (store) => {
    const revision = await store.put('a', '1');
    expect(await store.storage.get(store.key('b'))).toEqual({ kv: undefined, revision });
    expect((await store.storage.get(store.key('a'))).revision).toBe(revision);
  },

  'get at earlier revisions': async (store) => {
    const first = await store.put('a', '1');
    const second = await store.put('a', '2', first);
    const gone = await store.delete('a', second);
    const again = await store.put('a', '3');
    const seen = await Promise.all(
      [first - 1, first, second, gone, again].map((revision) => store.read('a', revision)),
    );
    expect(seen).toEqual([undefined, '1', '2', undefined, '3']);
    const old = await store.storage.get(store.key('a'), { revision: second });
    expect(old).toMatchObject({ revision: again, kv: { modRevision: second, createRevision: first } });
  },

  'range at earlier revisions': async (store) => {
    const b = await store.put('b', '1');
    const d = await store.put('d', '1');
    const a = await store.put('a', '1');
    const b2 = await store.put('b', '2', b);
    const noD = await store.delete('d', d);
    const c = await store.put('c', '1');
    const all = await Promise.all([b - 1, b, d, a, b2, noD, c].map((revision) => store.list(revision)));
    expect(all).toEqual([
      [],
      ['b=1'],
      ['b=1', 'd=1'],
      ['a=1', 'b=1', 'd=1'],
      ['a=1', 'b=2', 'd=1'],
      ['a=1', 'b=2'],
      ['a=1', 'b=2', 'c=1'],
    ]);
  },

  'a future revision is refused': async (store) => {
    const revision = (await store.put('a', '1')) + 1;
    expect(await codeOf(store.storage.get(store.key('a'), { revision }))).toBe('future-revision');
    expect(await codeOf(store.storage.range({ start: store.prefix, end: store.end, revision }))).toBe(
      'future-revision',
    );
  },

  'the range is half open': async (store) => {
    for (const name of ['a', 'b', 'b0', 'c']) await store.put(name, 'x');
    const names = async (start: string, end: string): Promise<string[]> =>
      (await store.storage.range({ start: store.key(start), end: store.key(end) })).kvs.map((kv) =>
        kv.key.slice(store.prefix.length),
      );
    expect(await names('a', 'c')).toEqual(['a', 'b', 'b0']);
    expect(await names('b', 'b\0')).toEqual(['b']);
    expect(await names('aa', 'b')).toEqual([]);
    expect(await names('c', 'a')).toEqual([]);
  },

  'limit, more and count of the present': (store) => checkPages(store, false),

  'limit, more and count of the past': (store) => checkPages(store, true),

  'keys are in byte order': async (store) => {
    const names = ['a', 'a-b', 'a/b', 'a0', 'aa', 'é', '\u07ff', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '😀'];
    let revision = 0;
    for (const name of names.toReversed()) revision = await store.put(name, 'x');
    expect((await store.list()).map((line) => line.slice(0, -2))).toEqual(names);
    const beyond = await store.storage.range({ start: store.key('\uffff'), end: store.key('😀') });
    expect(beyond.kvs.map((kv) => kv.key)).toEqual([store.key('\uffff'), store.key('\u{10000}')]);
    await store.delete('a', revision);
    expect((await store.list(revision)).map((line) => line.slice(0, -2))).toEqual(names);
  },

  'unusual keys are allowed': async (store) => {
    for (const name of ['__proto__', 'constructor', 'with space', '%2f', "'; DROP TABLE log; --"]) {
      await store.put(name, name);
      expect(await store.read(name)).toBe(name);
    }
    expect(await store.list()).toHaveLength(5);
  },
};

async function checkPages(store: Fixture, past: boolean): Promise<void> {
  let revision = 0;
  for (let n = 0; n < 25; n++) revision = await store.put(`key${String(n).padStart(2, '0')}`, `${n}`);
  if (past) {
    await store.put('key99', 'later');
    await store.delete('key24', revision);
  }
  const at = past ? { revision } : {};
  const range = { start: store.prefix, end: store.end, ...at };
  const page = await store.storage.range({ ...range, limit: 10 });
  expect(page).toMatchObject({ more: true, count: 25 });
  expect(page.kvs.map((kv) => valueText(kv.value))).toEqual(Array.from({ length: 10 }, (_, n) => `${n}`));
  const next = await store.storage.range({ ...range, start: `${page.kvs[9]!.key}\0`, limit: 10 });
  expect(next).toMatchObject({ more: true, count: 15 });
  const last = await store.storage.range({ ...range, start: `${next.kvs[9]!.key}\0`, limit: 10 });
  expect(last).toMatchObject({ more: false, count: 5 });
  expect(last.kvs.map((kv) => valueText(kv.value))).toEqual(['20', '21', '22', '23', '24']);
  expect(await store.storage.range({ ...range, limit: 25 })).toMatchObject({ more: false, count: 25 });
  expect((await store.storage.range(range)).kvs).toHaveLength(25);
}
