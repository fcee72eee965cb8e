import { expect } from 'vitest';
import { codeOf, type Cases, revisionOf, valueText } from './fixture.ts';

export const writes: Cases = {
  'each write raises the revision by one': async (store) => {
    const first = await store.put('a', '1');
    expect(await store.put('b', '1')).toBe(first + 1);
    expect(await store.put('a', '2', first)).toBe(first + 2);
    expect(await store.delete('a', first + 2)).toBe(first + 3);
    expect(await store.storage.currentRevision()).toBe(first + 3);
  },

  'create and modification revisions': async (store) => {
    const created = await store.put('a', '1');
    const updated = await store.put('a', '2', created);
    const { kv } = await store.storage.get(store.key('a'));
    expect(kv).toMatchObject({ key: store.key('a'), createRevision: created, modRevision: updated });
    const deleted = await store.delete('a', updated);
    expect(await store.put('a', '3')).toBe(deleted + 1);
    expect((await store.storage.get(store.key('a'))).kv).toMatchObject({
      createRevision: deleted + 1,
      modRevision: deleted + 1,
    });
  },

  'a put whose expectation fails changes nothing and returns the actual state': async (store) => {
    const created = await store.put('a', 'here');
    for (const expectedModRevision of [0, created - 1, created + 1]) {
      const result = await store.storage.put({ key: store.key('a'), value: Buffer.from('other'), expectedModRevision });
      expect(result).toMatchObject({
        succeeded: false,
        current: { key: store.key('a'), modRevision: created, createRevision: created },
      });
      expect(!result.succeeded && result.current && valueText(result.current.value)).toBe('here');
    }
    const absent = await store.storage.put({
      key: store.key('b'),
      value: Buffer.from('other'),
      expectedModRevision: created,
    });
    expect(absent).toMatchObject({ succeeded: false, current: undefined });
    expect(await store.list()).toEqual(['a=here']);
    expect(await store.storage.currentRevision()).toBe(created);
  },

  'a delete whose expectation fails changes nothing and returns the actual state': async (store) => {
    const created = await store.put('a', 'here');
    const wrong = await store.storage.delete({ key: store.key('a'), expectedModRevision: created - 1 });
    expect(wrong).toMatchObject({ succeeded: false, current: { modRevision: created } });
    for (const expectedModRevision of [0, created]) {
      const absent = await store.storage.delete({ key: store.key('b'), expectedModRevision });
      expect(absent).toMatchObject({ succeeded: false, current: undefined });
    }
    expect(await store.storage.currentRevision()).toBe(created);
  },

  'of concurrent writers with the same expectation one wins': async (store) => {
    let modRevision = 0;
    for (let round = 0; round < 5; round++) {
      const writers = Array.from({ length: 20 }, (_, n) =>
        store.storage.put({
          key: store.key('a'),
          value: Buffer.from(`${round}/${n}`),
          expectedModRevision: modRevision,
        }),
      );
      const results = await Promise.all(writers);
      const won = results.filter((result) => result.succeeded);
      expect(won).toHaveLength(1);
      modRevision = won[0]!.revision;
      for (const result of results) if (!result.succeeded) expect(result.current?.modRevision).toBe(modRevision);
    }
  },

  'concurrent read-modify-write loses no update': async (store) => {
    await store.put('counter', '0');
    const increment = async (): Promise<void> => {
      for (;;) {
        const { kv } = await store.storage.get(store.key('counter'));
        const value = Buffer.from(String(Number(valueText(kv!.value)) + 1));
        const result = await store.storage.put({
          key: store.key('counter'),
          value,
          expectedModRevision: kv!.modRevision,
        });
        if (result.succeeded) return;
      }
    };
    await Promise.all(Array.from({ length: 25 }, increment));
    expect(await store.read('counter')).toBe('25');
  },

  'concurrent writers of different keys get distinct revisions without a gap': async (store) => {
    const before = await store.storage.currentRevision();
    const revisions = await Promise.all(Array.from({ length: 200 }, (_, n) => store.put(`key${n}`, 'x')));
    expect(revisions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, n) => before + 1 + n));
  },

  'a resolved write is visible, and a conflict returns visible state': async (store) => {
    const put = async (value: string): Promise<void> => {
      const result = await store.storage.put({
        key: store.key('a'),
        value: Buffer.from(value),
        expectedModRevision: 0,
      });
      const seen = await store.storage.get(store.key('a'));
      expect(seen.kv?.modRevision).toBe(result.succeeded ? result.revision : result.current?.modRevision);
      expect(seen.revision).toBeGreaterThanOrEqual(result.revision);
    };
    await Promise.all(['1', '2', '3', '4'].map(put));
  },

  'values keep every byte, including empty ones': async (store) => {
    const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const big = Buffer.alloc(900_000, 'x');
    for (const [name, value] of Object.entries({ every, big, empty: Buffer.alloc(0) })) {
      revisionOf(await store.storage.put({ key: store.key(name), value, expectedModRevision: 0 }));
      const { kv } = await store.storage.get(store.key(name));
      expect(Buffer.compare(kv!.value, value)).toBe(0);
    }
  },

  'a value over the limit is refused, and a larger one in the words of a client': async (store) => {
    const before = await store.storage.currentRevision();
    const put = (bytes: number): Promise<unknown> =>
      store.storage.put({ key: store.key('a'), value: Buffer.alloc(bytes), expectedModRevision: 0 });
    expect(await codeOf(put(1.9 * 2 ** 20))).toBe('too-large');
    expect(await codeOf(put(2 ** 21 + 1))).toBe('too-large');
    await expect(put(2 ** 21 + 1)).rejects.toThrow(/larger than max \(2097\d\d\d vs\. 2097152\)$/);
    expect(await store.storage.currentRevision()).toBe(before);
    await store.put('a', 'small');
  },
};
