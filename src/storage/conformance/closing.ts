import { expect } from 'vitest';
import { type Cases, codeOf } from './fixture.ts';

/** Each case gets a store of its own. */
export const closing: Cases = {
  'every call is refused': async (store) => {
    await store.put('a', '1');
    await store.storage[Symbol.asyncDispose]();
    expect(await codeOf(store.put('b', '1'))).toBe('closed');
    expect(await codeOf(store.storage.check())).toBe('closed');
  },

  'a watch ends with an error': async (store) => {
    const watch = store.watch(await store.storage.currentRevision());
    await store.put('a', '1');
    await store.storage[Symbol.asyncDispose]();
    await watch.until(({ error }) => error !== undefined);
    expect(watch.error?.code).toBe('closed');
  },

  'closing twice has no further effect': async (store) => {
    await Promise.all([store.storage[Symbol.asyncDispose](), store.storage[Symbol.asyncDispose]()]);
    await store.storage[Symbol.asyncDispose]();
    expect(await codeOf(store.storage.check())).toBe('closed');
  },
};
