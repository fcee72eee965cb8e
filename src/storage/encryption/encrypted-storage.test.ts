import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { testStorage } from '../conformance/suite.ts';
import { type Storage, StorageError, type StorageEvent, type WatchSink } from '../contract.ts';
import { openEmbeddedStorage } from '../embedded/engine.ts';
import { AesGcm } from './aes-gcm.ts';
import { EncryptedStorage, type ResourceEncryption } from './encrypted-storage.ts';
import { EncryptionError, KeyServiceError } from './transformer.ts';

const resource = 'secrets';
const place = { key: 'a', resource };

class Keys implements ResourceEncryption {
  readonly resource = resource;
  readonly #cipher: AesGcm;
  readonly #delays: boolean;
  readonly #listeners = new Set<() => void>();
  fails: 'not' | 'forGood' | 'forNow' = 'not';
  reads = 0;

  constructor(byte = 1, { delays = false } = {}) {
    this.#cipher = new AesGcm(Buffer.alloc(32, byte));
    this.#delays = delays;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  change(): void {
    for (const listener of this.#listeners) listener();
  }

  readonly recoveries = new Set<() => void>();

  onRecovery(recovered: () => void): Disposable {
    this.recoveries.add(recovered);
    return { [Symbol.dispose]: () => void this.recoveries.delete(recovered) };
  }

  onChange(changed: () => void): Disposable {
    this.#listeners.add(changed);
    return { [Symbol.dispose]: () => void this.#listeners.delete(changed) };
  }

  read: ResourceEncryption['read'] = (stored, where) => {
    this.reads += 1;
    const opened = () => {
      if (this.fails === 'forGood') throw new EncryptionError('no key');
      if (this.fails === 'forNow') throw new KeyServiceError('no service');
      return this.#cipher.read(stored, where);
    };
    return this.#delays ? sleep(Math.random() * 3).then(opened) : opened();
  };

  write: ResourceEncryption['write'] = (value, where) => {
    if (this.fails !== 'not') throw new EncryptionError('no key to write with');
    return this.#delays
      ? sleep(Math.random()).then(() => this.#cipher.write(value, where))
      : this.#cipher.write(value, where);
  };
}

const below = (): Promise<Storage> => openEmbeddedStorage({ dataDir: undefined });

testStorage({ name: 'encrypted', open: async () => new EncryptedStorage(await below(), new Keys()) });

// Keys come from another process.
testStorage({
  name: 'encrypted, with delays',
  open: async () => new EncryptedStorage(await below(), new Keys(1, { delays: true })),
});

function recorded(): WatchSink & { readonly events_: StorageEvent[]; readonly ends: StorageError[] } {
  const seen: StorageEvent[] = [];
  const ends: StorageError[] = [];
  return {
    events_: seen,
    ends,
    events: (events) => void seen.push(...events),
    progress: () => undefined,
    failed: (error) => void ends.push(error),
  };
}

const put = (storage: Storage, text: string, expectedModRevision = 0) =>
  storage.put({ key: 'a', value: Buffer.from(text), expectedModRevision });
const range = { start: 'a', end: 'b', afterRevision: 1 };

test('the store gets no plain value, and a write does not decrypt its own events', async () => {
  const store = await below();
  const keys = new Keys();
  await using storage = new EncryptedStorage(store, keys);
  const sink = recorded();
  storage.watch(range, sink);
  const { revision } = await put(storage, 'one');
  await put(storage, 'two', revision);
  expect(keys.reads).toBe(0);
  const texts = sink.events_.map(({ value, previous }) => [value, previous?.value].map((each) => each?.toString()));
  expect(texts).toEqual([
    ['one', undefined],
    ['two', 'one'],
  ]);
  const { kv } = await store.get('a');
  expect(Buffer.from(kv!.value).includes('two')).toBe(false);
  expect(new AesGcm(Buffer.alloc(32, 1)).read(kv!.value, place).value.toString()).toBe('two');
  expect((await storage.get('a')).kv!.storedBytes).toBe(kv!.value.length);
});

test('what is kept of a write does not keep the memory that its value came in', async () => {
  const store = await below();
  await using storage = new EncryptedStorage(store, new Keys());
  const sink = recorded();
  storage.watch(range, sink);
  const message = Buffer.alloc(64 * 1024, 'message ');
  await storage.put({ key: 'a', value: message.subarray(0, 7), expectedModRevision: 0 });
  const stored = await store.get('a');
  const kept = [sink.events_[0]?.value, stored.kv?.value].map((bytes) => bytes!);
  expect(kept[0]!.toString()).toBe('message');
  expect(kept.map(({ buffer, length }) => buffer.byteLength - length)).toEqual([0, 0]);
});

test('what is read in one round is decrypted in a row', async () => {
  const keys = new Keys();
  await using storage = new EncryptedStorage(await below(), keys);
  for (const key of ['a', 'b']) await storage.put({ key, value: Buffer.from(key), expectedModRevision: 0 });
  const order: string[] = [];
  const { read } = keys;
  keys.read = (stored, where) => {
    order.push(where.key);
    return read(stored, where);
  };
  const gets = ['a', 'b', 'c'].map(async (key) => {
    await Promise.resolve();
    order.push('request');
    return storage.get(key);
  });
  const found = await Promise.all(gets);
  expect(order).toEqual(['request', 'request', 'request', 'a', 'b']);
  expect(found.map(({ kv }) => kv?.value.toString())).toEqual(['a', 'b', undefined]);
});

test('writes of one round are encrypted in a row', async () => {
  const keys = new Keys();
  await using storage = new EncryptedStorage(await below(), keys);
  const order: string[] = [];
  const { write } = keys;
  keys.write = (value, where) => {
    order.push(where.key);
    return write(value, where);
  };
  const puts = ['a', 'b', 'c'].map(async (key) => {
    await Promise.resolve();
    order.push('request');
    return storage.put({ key, value: Buffer.from(key), expectedModRevision: 0 });
  });
  const results = await Promise.all(puts);
  expect(order).toEqual(['request', 'request', 'request', 'a', 'b', 'c']);
  expect(results.map(({ succeeded }) => succeeded)).toEqual([true, true, true]);
});

test('events of others are decrypted in order, and a write waits for those before its own', async () => {
  const store = await below();
  await using mine = new EncryptedStorage(store, new Keys(1, { delays: true }));
  const others = new EncryptedStorage(store, new Keys(1));
  const sink = recorded();
  mine.watch(range, sink);
  let revision = 0;
  for (let n = 0; n < 20; n++) ({ revision } = await put(n % 4 === 3 ? mine : others, `${n}`, revision));
  expect((await put(mine, 'last', revision)).succeeded).toBe(true);
  expect(sink.events_.map(({ value }) => value?.toString())).toEqual([
    ...Array.from({ length: 20 }, (_, n) => `${n}`),
    'last',
  ]);
});

test('a value that cannot be decrypted fails alone, and one that cannot be encrypted is not written', async () => {
  const store = await below();
  await using storage = new EncryptedStorage(store, new Keys());
  await new EncryptedStorage(store, new Keys(2)).put({ key: 'b', value: Buffer.from('x'), expectedModRevision: 0 });
  await put(storage, 'one');
  const { kvs } = await storage.range({ start: 'a', end: 'c' });
  expect(kvs.map(({ key, unreadable }) => [key, unreadable])).toEqual([
    ['a', undefined],
    ['b', { kind: 'untransformable', message: 'cipher: message authentication failed' }],
  ]);
  const broken = new Keys();
  broken.fails = 'forGood';
  const refused = await put(new EncryptedStorage(store, broken), 'two').catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'unencryptable', message: 'no key to write with' });
  expect(refused).toBeInstanceOf(StorageError);
});

test('watches end when keys change, and nobody is remembered after that', async () => {
  const keys = new Keys();
  await using storage = new EncryptedStorage(await below(), keys);
  const sink = recorded();
  storage.watch(range, sink);
  const cancelled = storage.watch(range, recorded());
  cancelled.cancel();
  expect(keys.listeners).toBe(1);
  keys.change();
  expect(sink.ends.map(({ code }) => code)).toEqual(['outdated']);
  expect(keys.listeners).toBe(0);
  await put(storage, 'one');
  expect(sink.events_).toEqual([]);
});

test('when the service of the keys answers again, watches end that could not read something', async () => {
  const store = await below();
  const keys = new Keys();
  await using storage = new EncryptedStorage(store, keys);
  const sink = recorded();
  storage.watch(range, sink);
  const recover = (): void => {
    for (const recovered of keys.recoveries) recovered();
  };
  recover();
  expect(sink.ends).toEqual([]);
  keys.fails = 'forNow';
  await new EncryptedStorage(store, new Keys()).put({ key: 'a', value: Buffer.from('x'), expectedModRevision: 0 });
  recover();
  expect(sink.ends.map(({ code }) => code)).toEqual(['outdated']);
  recover();
  expect(keys.recoveries.size).toBe(0);
});
