import { testStorage } from '../conformance/suite.ts';
import type { Storage } from '../contract.ts';
import { inTurn, openRelayed, StoreThread, withEnd } from './testdata/store-thread-fixture.ts';

async function fromAnotherThread(open: (store: StoreThread) => Promise<Storage>): Promise<Storage> {
  const store = await StoreThread.start();
  return withEnd(await open(store), () => store[Symbol.asyncDispose]());
}

testStorage({ name: 'embedded, from another thread', open: () => fromAnotherThread((store) => store.open()) });

testStorage({ name: 'embedded, from a thread behind another', open: () => fromAnotherThread(openRelayed) });

testStorage({
  name: 'embedded, from two other threads in turn',
  open: () => fromAnotherThread(async (store) => inTurn(await Promise.all([store.open(), openRelayed(store)]))),
});
