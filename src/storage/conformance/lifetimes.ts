import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Cases, revisionOf } from './fixture.ts';

export const lifetimes: Cases = {
  'a key expires after its TTL unless it was written again': async (store) => {
    const put = async (name: string, expectedModRevision: number, ttlSeconds?: number): Promise<number> => {
      const request = { key: store.key(name), value: Buffer.from('x'), expectedModRevision };
      return revisionOf(await store.storage.put(ttlSeconds === undefined ? request : { ...request, ttlSeconds }));
    };
    const watch = store.watch(await store.storage.currentRevision());
    await put('long', 0, 3600);
    await put('kept', await put('kept', 0, 1));
    await put('prolonged', await put('prolonged', 0, 1), 3600);
    // Last: when it has expired, the others would have, too.
    const expiring = await put('expiring', 0, 1);
    const before = await store.storage.currentRevision();
    expect(await store.read('expiring')).toBe('x');
    await watch.until(({ all }) => all.at(-1)?.type === 'delete');
    await sleep(100);
    expect(watch.lines.at(-1)).toBe(`${before + 1}-expiring (${expiring}=x)`);
    expect(await store.list()).toEqual(['kept=x', 'long=x', 'prolonged=x']);
    expect(await store.storage.currentRevision()).toBe(before + 1);
  },
};
