import { expect, test } from 'vitest';
import { describeWithEtcd, EtcdProcess } from '../../../test/etcd-process.ts';
import { codeOf, Fixture } from '../conformance/fixture.ts';
import type { Upkeep } from '../upkeep.ts';
import { openEtcdStorage } from './engine.ts';
import { EtcdUpkeep } from './upkeep.ts';

async function done<Result>(work: Upkeep<Result>): Promise<Result> {
  for (;;) {
    const step = await work.next();
    if (step.done === true) return step.value;
  }
}

describeWithEtcd('upkeep of etcd', () => {
  test('compacts, tells other servers, and gives space back', { timeout: 60_000 }, async () => {
    await using etcd = await EtcdProcess.start();
    await using storage = await openEtcdStorage({ servers: [etcd.url] });
    const upkeep = new EtcdUpkeep([storage]);
    const store = new Fixture(storage);
    let revision = 0;
    for (let n = 0; n < 60; n += 1) revision = await store.put('a', `${n}${'x'.repeat(200_000)}`, revision);
    const watch = store.watch(revision);
    expect(await done(upkeep.compact({ keep: 5 }))).toEqual({ revision: revision - 5 });
    expect(await codeOf(storage.get(store.key('a'), { revision: revision - 6 }))).toBe('compacted');
    expect(await store.read('a', revision - 5)).toMatch(/^54x/);
    const { kv } = await storage.get('compact_rev_key');
    expect(Buffer.from(kv?.value ?? []).toString()).toBe(String(revision - 5));
    expect(await codeOf(upkeep.compact({ revision: revision - 5 }).next())).toBe('compacted');
    expect(await codeOf(upkeep.compact({ revision: revision + 1000 }).next())).toBe('future-revision');
    expect(await done(upkeep.compact({ keep: 100 }))).toEqual({ revision: revision - 5 });

    const { beforeBytes, afterBytes } = await done(upkeep.defragment());
    expect(afterBytes).toBeLessThan(beforeBytes - 5e6);
    const next = await store.put('a', 'after', revision);
    await watch.until(({ all }) => all.length === 1);
    expect(watch.all.map((event) => event.revision)).toEqual([next]);
  });

  test('refuses one revision for several clusters', async () => {
    await using etcd = await EtcdProcess.start();
    await using storage = await openEtcdStorage({ servers: [etcd.url] });
    await expect(new EtcdUpkeep([storage, storage]).compact({ revision: 1 }).next()).rejects.toThrow(
      'this server uses 2 etcd clusters, each with its own revisions: say how many revisions to keep instead',
    );
  });
});
