import { expect, test } from 'vitest';
import { describeWithEtcd, EtcdProcess } from '../../../test/etcd-process.ts';
import { startGrpcProxy } from '../../../test/grpc-proxy.ts';
import { Fixture } from '../conformance/fixture.ts';
import { openEtcdStorage } from './engine.ts';

const watchPath = '/etcdserverpb.Watch/Watch';
/** The field `prev_kv` of a request for a watch, and the one after it. */
const withPrevious = Buffer.from([0x30, 1, 0x40, 1]);
const withoutPrevious = Buffer.from([0x30, 0, 0x40, 1]);

describeWithEtcd('changes that etcd sends without previous values', () => {
  test('are asked for again: etcd leaves them out while it creates a watch', async () => {
    await using etcd = await EtcdProcess.start();
    let changed = 0;
    await using proxy = await startGrpcProxy(etcd.url, (path, bytes) => {
      const at = path === watchPath ? bytes.indexOf(withPrevious) : -1;
      if (at === -1 || changed > 0) return bytes;
      changed += 1;
      return Buffer.concat([bytes.subarray(0, at), withoutPrevious, bytes.subarray(at + withoutPrevious.length)]);
    });
    await using storage = await openEtcdStorage({ servers: [proxy.url] });
    const store = new Fixture(storage);
    const first = await store.put('a', '1');
    const watch = store.watch(first);
    const created = await store.put('b', '1');
    const second = await store.put('a', '2', first);
    const third = await store.put('a', '3', second);
    await watch.until(({ all }) => all.length === 3);
    expect(watch.lines).toEqual([`${created}+b=1`, `${second}+a=2 (${first}=1)`, `${third}+a=3 (${second}=2)`]);
    expect(watch.error).toBeUndefined();
    expect(changed).toBe(1);
    expect(proxy.calls.filter(({ path }) => path === watchPath)).toHaveLength(2);
  });

  test('end the watch if they are compacted', async () => {
    await using etcd = await EtcdProcess.start();
    await using storage = await openEtcdStorage({ servers: [etcd.url] });
    const store = new Fixture(storage);
    const first = await store.put('a', '1');
    const second = await store.put('a', '2', first);
    await storage.compact(second);
    const watch = store.watch(first);
    await watch.until(({ error }) => error !== undefined);
    expect(watch.error).toMatchObject({ code: 'compacted' });
    expect(watch.all).toEqual([]);
  });
});
