import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWithEtcd, EtcdProcess } from '../../../test/etcd-process.ts';
import { takeTurn, type Turn } from './compactor.ts';
import { type EtcdStorage, openEtcdStorage } from './engine.ts';

describeWithEtcd('compaction by one of several servers', () => {
  let etcd: EtcdProcess;
  let storage: EtcdStorage;
  beforeAll(async () => {
    etcd = await EtcdProcess.start();
    storage = await openEtcdStorage({ servers: [etcd.url] });
  });
  afterAll(async () => {
    await storage[Symbol.asyncDispose]();
    await etcd[Symbol.asyncDispose]();
  });

  const nothing: Turn = { version: 0, revision: 0 };
  let puts = 0;
  const write = async (): Promise<void> => {
    await storage.put({ key: `/k/${++puts}`, value: Buffer.from('x'), expectedModRevision: 0 });
  };
  const oldest = async (): Promise<number> => {
    for (let revision = 1; ; revision++) {
      const readable = await storage.get('/k/1', { revision }).then(
        () => true,
        () => false,
      );
      if (readable) return revision;
    }
  };

  test('servers take turns, and keep one to two intervals of history', async () => {
    const a1 = await takeTurn(storage.cluster, nothing);
    await write();
    const b1 = await takeTurn(storage.cluster, nothing);
    expect(b1.version).toBe(a1.version);
    expect(await oldest()).toBe(1);
    await write();
    const a2 = await takeTurn(storage.cluster, a1);
    expect(a2.version).toBe(2);
    expect(await oldest()).toBe(a1.revision);
    await write();
    const b2 = await takeTurn(storage.cluster, b1);
    expect(b2).toMatchObject({ version: 2 });
    expect(await oldest()).toBe(a1.revision);
    // A is gone: it is B's turn.
    const b3 = await takeTurn(storage.cluster, b2);
    expect(b3.version).toBe(3);
    expect(await oldest()).toBe(b2.revision);
  });

  test('the key contains the compacted revision', async () => {
    const { kv } = await storage.get('compact_rev_key');
    expect(Buffer.from(kv!.value).toString()).toBe(String(await oldest()));
  });

  test('compaction outside of the protocol does no harm', async () => {
    const first = await takeTurn(storage.cluster, { version: 3, revision: 0 });
    await write();
    await storage.compact(await storage.currentRevision());
    const second = await takeTurn(storage.cluster, first);
    expect(second.version).toBe(5);
  });
});
