import { expect } from 'vitest';
import { codeOf, type Cases } from './fixture.ts';

export const compaction: Cases = {
  'keeps what is visible at the revision and later': async (store) => {
    const a1 = await store.put('a', '1');
    const b1 = await store.put('b', '1');
    const a2 = await store.put('a', '2', a1);
    const noB = await store.delete('b', b1);
    const a3 = await store.put('a', '3', a2);
    await store.storage.compact(a2);
    expect(await store.list(a2)).toEqual(['a=2', 'b=1']);
    expect(await store.list(noB)).toEqual(['a=2']);
    expect(await store.list(a3)).toEqual(['a=3']);
    expect(await store.list()).toEqual(['a=3']);
    expect(await store.read('b', a2)).toBe('1');
  },

  'refuses reads and watches of compacted revisions': async (store) => {
    const first = await store.put('a', '1');
    const second = await store.put('a', '2', first);
    const third = await store.put('a', '3', second);
    await store.storage.compact(third);
    expect(store.storage.compactedRevision).toBe(third);
    expect(await codeOf(store.storage.get(store.key('a'), { revision: second }))).toBe('compacted');
    expect(await codeOf(store.storage.range({ start: store.prefix, end: store.end, revision: first }))).toBe(
      'compacted',
    );
    const late = store.watch(first - 1);
    await late.until(({ error }) => error !== undefined);
    expect(late.error).toMatchObject({ code: 'compacted', revision: third });
    expect(late.all).toEqual([]);
    const fine = store.watch(third);
    const fourth = await store.put('a', '4', third);
    await fine.until(({ all }) => all.length === 1);
    expect(fine.lines).toEqual([`${fourth}+a=4 (${third}=3)`]);
  },

  'refuses future and already compacted revisions': async (store) => {
    const revision = await store.put('a', '1');
    expect(await codeOf(store.storage.compact(revision + 1))).toBe('future-revision');
    await store.storage.compact(revision);
    expect(await codeOf(store.storage.compact(revision))).toBe('compacted');
    expect(await codeOf(store.storage.compact(revision - 1))).toBe('compacted');
    expect(await store.read('a')).toBe('1');
  },

  'does not disturb a running watch': async (store) => {
    const start = await store.storage.currentRevision();
    const watch = store.watch(start);
    let revision = 0;
    for (let n = 0; n < 30; n++) {
      revision = await store.put('a', `${n}`, revision);
      if (n % 10 === 5) await store.storage.compact(revision);
    }
    await watch.until(({ all }) => all.length === 30);
    expect(watch.error).toBeUndefined();
  },
};
