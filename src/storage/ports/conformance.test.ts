import { afterAll, beforeAll } from 'vitest';
import { describeWithEtcd, EtcdProcess } from '../../../test/etcd-process.ts';
import { testStorage } from '../conformance/suite.ts';
import type { Storage } from '../contract.ts';
import { openEtcdStorage } from '../etcd/engine.ts';
import { PortStorage } from './port-storage.ts';
import { StorePorts } from './store-ports.ts';
import { inTurn, openRelayed, StoreThread, withEnd } from './testdata/store-thread-fixture.ts';

async function fromAnotherThread(open: (store: StoreThread) => Promise<Storage>): Promise<Storage> {
  const store = await StoreThread.start();
  return withEnd(await open(store), () => store[Symbol.asyncDispose]());
}

testStorage({ name: 'embedded, from another thread', open: () => fromAnotherThread((store) => store.open()) });

testStorage({
  name: 'embedded, from two other threads in turn',
  open: () => fromAnotherThread(async (store) => inTurn(await Promise.all([store.open(), openRelayed(store)]))),
});

describeWithEtcd('with etcd', () => {
  let etcd: EtcdProcess;
  beforeAll(async () => {
    etcd = await EtcdProcess.start();
  });
  afterAll(() => etcd[Symbol.asyncDispose]());

  testStorage({
    name: 'etcd, from its own thread, over a port and from another thread in turn',
    async open() {
      const engine = await openEtcdStorage({ servers: [etcd.url] });
      const ports = new StorePorts(engine);
      const users = [ports.storage, new PortStorage(ports.connect()), await openRelayed(ports)];
      return withEnd(inTurn(users), () => engine[Symbol.asyncDispose]());
    },
  });
});
