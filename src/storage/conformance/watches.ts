import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Cases } from './fixture.ts';

export const watches: Cases = {
  'reports puts and deletes with the previous state': async (store) => {
    const start = await store.storage.currentRevision();
    const watch = store.watch(start);
    const first = await store.put('a', '1');
    const second = await store.put('a', '2', first);
    const third = await store.delete('a', second);
    await watch.until(({ all }) => all.length === 3);
    expect(watch.lines).toEqual([`${first}+a=1`, `${second}+a=2 (${first}=1)`, `${third}-a (${second}=2)`]);
    expect(watch.all[1]!.previous).toMatchObject({ createRevision: first, key: store.key('a') });
    watch.handle?.cancel();
  },

  'replays history, then continues with the present': async (store) => {
    const first = await store.put('a', '1');
    await store.put('b', '1');
    const second = await store.put('a', '2', first);
    const watch = store.watch(first);
    const gone = await store.delete('a', second);
    await watch.until(({ all }) => all.length === 3);
    expect(watch.lines).toEqual([`${first + 1}+b=1`, `${second}+a=2 (${first}=1)`, `${gone}-a (${second}=2)`]);
  },

  'only reports its range': async (store) => {
    const start = await store.storage.currentRevision();
    const directory = store.watch(start, { start: store.key('b/'), end: store.key('b0') });
    const odd = store.watch(start, { start: store.key('a'), end: store.key('b/x') });
    const single = store.watch(start, { start: store.key('b/x'), end: store.key('b/x\0') });
    for (const name of ['a', 'b', 'b/', 'b/w', 'b/x', 'b/x/y', 'b0', 'c']) await store.put(name, 'v');
    const all = store.watch(start);
    await all.until((watch) => watch.all.length === 8);
    await Promise.all([
      directory.until((watch) => watch.all.length === 4),
      odd.until((watch) => watch.all.length === 4),
    ]);
    await single.until((watch) => watch.all.length === 1);
    const names = [directory, odd, single].map((watch) =>
      watch.all.map((event) => event.key.slice(store.prefix.length)),
    );
    expect(names).toEqual([['b/', 'b/w', 'b/x', 'b/x/y'], ['a', 'b', 'b/', 'b/w'], ['b/x']]);
  },

  'has delivered a write before its promise resolves': async (store) => {
    const watch = store.watch(await store.storage.currentRevision());
    watch.handle?.requestProgress();
    await watch.until(({ progressed }) => progressed.length > 0);
    await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const revision = await store.put(`key${n}`, 'x');
        expect(watch.all.some((event) => event.revision === revision)).toBe(true);
      }),
    );
  },

  'in order, without gaps or repeats, under concurrent writers, wherever it starts': async (store) => {
    const start = await store.storage.currentRevision();
    const watches = [store.watch(start)];
    const writes: Promise<number>[] = [];
    for (let n = 0; n < 300; n++) {
      writes.push(store.put(`key${n}`, 'x'));
      if (n % 30 !== 0) continue;
      await sleep(1);
      watches.push(store.watch(start + (n >> 1)), store.watch(await store.storage.currentRevision()));
    }
    await Promise.all(writes);
    for (const watch of watches) {
      await watch.until(({ all }) => all.at(-1)?.revision === start + 300);
      const revisions = watch.all.map((event) => event.revision);
      expect(revisions).toEqual(
        Array.from({ length: revisions.length }, (_, n) => start + 300 - revisions.length + 1 + n),
      );
      expect(watch.batches.every((batch) => batch.length > 0)).toBe(true);
    }
    expect(watches[0]!.all).toHaveLength(300);
  },

  'a start in the future only reports what comes after it': async (store) => {
    const start = await store.storage.currentRevision();
    const watch = store.watch(start + 2);
    for (const name of ['a', 'b', 'c', 'd']) await store.put(name, 'x');
    await watch.until(({ all }) => all.length === 2);
    expect(watch.lines).toEqual([`${start + 3}+c=x`, `${start + 4}+d=x`]);
  },

  'progress comes after everything up to its revision': async (store) => {
    const start = await store.storage.currentRevision();
    for (let n = 0; n < 20; n++) await store.put(`key${n}`, 'x');
    const watch = store.watch(start);
    watch.handle?.requestProgress();
    await watch.until(({ progressed }) => progressed.length > 0);
    expect(watch.progressed[0]).toBeGreaterThanOrEqual(start + 20);
    expect(watch.all).toHaveLength(20);
    await store.put('later', 'x');
    watch.handle?.requestProgress();
    await watch.until(({ progressed }) => progressed.length > 1);
    expect(watch.progressed[1]).toBe(start + 21);
    expect(watch.all).toHaveLength(21);
  },

  'reports nothing after cancel': async (store) => {
    const start = await store.storage.currentRevision();
    await store.put('a', '1');
    const early = store.watch(start);
    early.handle?.cancel();
    const watch = store.watch(start);
    await watch.until(({ all }) => all.length === 1);
    watch.handle?.cancel();
    await store.put('b', '1');
    await sleep(20);
    expect(watch.all).toHaveLength(1);
    expect(early.all).toHaveLength(0);
    expect(watch.error).toBeUndefined();
  },
};
