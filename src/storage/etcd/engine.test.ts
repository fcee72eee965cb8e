import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWithEtcd, EtcdProcess } from '../../../test/etcd-process.ts';
import { deadlineIn } from '../../api/time/deadline.ts';
import { WireWriter } from '../../api/bytes/wire-writer.ts';
import { codeOf, Fixture } from '../conformance/fixture.ts';
import { methods } from './cluster.ts';
import { type EtcdStorage, openEtcdStorage } from './engine.ts';

describeWithEtcd('the etcd engine', () => {
  let etcd: EtcdProcess;
  let storage: EtcdStorage;
  beforeAll(async () => {
    etcd = await EtcdProcess.start({ args: ['--max-request-bytes=1500000'] });
    storage = await openEtcdStorage({ servers: [etcd.url] });
  });
  afterAll(async () => {
    await storage[Symbol.asyncDispose]();
    await etcd[Symbol.asyncDispose]();
  });

  /** All at one revision. */
  async function putTogether(store: Fixture, names: readonly string[], value: Uint8Array): Promise<void> {
    const transaction = new WireWriter();
    for (const name of names) {
      const put = new WireWriter().bytes(1, Buffer.from(store.key(name))).bytes(2, value);
      transaction.message(2, new WireWriter().message(2, put));
    }
    await storage.cluster.write(methods.transaction, transaction.finish(), deadlineIn(5000));
  }

  test('fragments from etcd are delivered in order and complete', { timeout: 30_000 }, async () => {
    const store = new Fixture(storage);
    const start = await storage.currentRevision();
    // etcd sends 1.5 MiB at a time.
    const big = 'x'.repeat(700_000);
    for (let n = 0; n < 12; n++) await store.put(`key${n}`, `${n}${big}`);
    const watch = store.watch(start);
    await watch.until(({ all }) => all.length === 12);
    expect(watch.all.map(({ revision }) => revision)).toEqual(Array.from({ length: 12 }, (_, n) => start + 1 + n));
    expect(watch.all.map(({ value }) => value?.length)).toEqual(
      Array.from({ length: 12 }, (_, n) => big.length + `${n}`.length),
    );
    watch.handle?.cancel();
  });

  test('changes of one revision arrive together, even in fragments', { timeout: 30_000 }, async () => {
    const store = new Fixture(storage);
    const names = Array.from({ length: 12 }, (_, n) => `key${String(n).padStart(2, '0')}`);
    // Like a lease that expires with its keys: many changes, one revision. The old and new values exceed a fragment.
    const putAll = (byte: number): Promise<void> => putTogether(store, names, Buffer.alloc(100_000, byte));
    const revision = await storage.currentRevision();
    const live = store.watch(revision);
    await putAll(1);
    await putAll(2);
    const replay = store.watch(revision);
    for (const watch of [live, replay]) {
      await watch.until(({ all }) => all.length === 24);
      expect(watch.all.map((event) => event.revision)).toEqual(
        Array.from({ length: 24 }, (_, n) => revision + (n < 12 ? 1 : 2)),
      );
      const revisions = watch.batches.map((batch) => new Set(batch.map((event) => event.revision)));
      for (const one of [revision + 1, revision + 2])
        expect(revisions.filter((batch) => batch.has(one))).toHaveLength(1);
      watch.handle?.cancel();
    }
  });

  test('long ranges are read in pages of one revision', { timeout: 60_000 }, async () => {
    const store = new Fixture(storage);
    const names = Array.from({ length: 10_050 }, (_, n) => `k${String(n).padStart(6, '0')}`);
    for (let n = 0; n < names.length; n += 100) await putTogether(store, names.slice(n, n + 100), Buffer.from('x'));
    const range = { start: store.prefix, end: store.end };
    const reading = storage.range(range);
    const late = store.put('k999999', 'late');
    const { kvs, revision, count, more } = await reading;
    expect(more).toBe(false);
    const lateRevision = await late;
    expect(kvs.length).toBe(revision < lateRevision ? names.length : names.length + 1);
    expect(count).toBe(kvs.length);
    expect(kvs.slice(0, names.length).map(({ key }) => key.slice(store.prefix.length))).toEqual(names);
    expect((await storage.range({ ...range, limit: 10_020 })).kvs).toHaveLength(10_020);
    expect(await storage.range({ ...range, limit: 10_020 })).toMatchObject({ more: true, count: names.length + 1 });
  });

  test('a deadline in the past is a timeout, and nothing is written', async () => {
    const store = new Fixture(storage);
    await etcd.kill();
    const key = store.key('a');
    const soon = (): number => deadlineIn(100);
    // Until a read has failed the connection may look open, and a write sent over it would be in doubt.
    expect(await codeOf(storage.get(key, { deadlineMs: soon() }))).toBe('timeout');
    expect(await codeOf(storage.currentRevision({ deadlineMs: soon() }))).toBe('timeout');
    const late = { key, value: Buffer.from('x'), expectedModRevision: 0, deadlineMs: soon() };
    expect(await codeOf(storage.put(late))).toBe('timeout');
    await etcd.run();
    expect(await store.list()).toEqual([]);
  });

  test('a write sent to a hanging etcd is in doubt, a read is not', async () => {
    const store = new Fixture(storage);
    // A read goes on over a new connection where the one before the restart breaks; a write would not.
    await storage.currentRevision({ deadlineMs: deadlineIn(5_000) });
    await etcd.pause();
    const deadlineMs = deadlineIn(300);
    const sent = { key: store.key('a'), value: Buffer.from('x'), expectedModRevision: 0, deadlineMs };
    const [write, read] = [codeOf(storage.put(sent)), codeOf(storage.get(sent.key, { deadlineMs }))];
    expect(await write).toBe('unknown');
    expect(await read).toBe('timeout');
    etcd.resume();
    // Applied or not, but not partly, and the store keeps working.
    expect(['x', undefined]).toContain(await store.read('a'));
    await store.put('b', '1');
  });
});
