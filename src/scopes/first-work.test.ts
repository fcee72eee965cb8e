import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, test, vi } from 'vitest';
import { openEmbeddedStorage } from '../storage/embedded/engine.ts';
import { translated } from '../storage/translated.ts';
import { firstChange, firstWork } from './first-work.ts';

const storage = await openEmbeddedStorage({ dataDir: undefined });
afterAll(() => storage[Symbol.asyncDispose]());

const { signal } = new AbortController();

async function put(key: string, value = '{}'): Promise<number> {
  const { kv } = await storage.get(key);
  const written = await storage.put({ key, value: Buffer.from(value), expectedModRevision: kv?.modRevision ?? 0 });
  return written.revision;
}

/** Whether it has resolved yet. */
function watched(promise: Promise<void>): { isDone: boolean } {
  const seen = { isDone: false };
  void promise.then(() => (seen.isDone = true));
  return seen;
}

async function becomesDone(seen: { readonly isDone: boolean }): Promise<void> {
  await vi.waitFor(() => expect(seen.isDone).toBe(true));
}

test('an object that is there is work', async () => {
  await put('/there/a');
  await firstWork([{ storage, keyPrefix: '/there/' }], { signal });
});

test('in empty places the first object of any is awaited', async () => {
  const places = ['/one/', '/two/'].map((keyPrefix) => ({ storage, keyPrefix }));
  const seen = watched(firstWork(places, { signal }));
  await put('/three/a');
  expect(seen.isDone).toBe(false);
  await put('/two/a');
  await becomesDone(seen);
});

test('objects without work are seen whole, and the first change is awaited', async () => {
  for (let index = 0; index < 501; index++) await put(`/idle/${index}`, `{"number":${index}}`);
  const stored: string[] = [];
  const hasWork = (texts: readonly string[]): boolean => {
    stored.push(...texts);
    return false;
  };
  const seen = watched(firstWork([{ storage, keyPrefix: '/idle/' }], { hasWork, signal }));
  await vi.waitFor(() => expect(stored).toHaveLength(501));
  expect(seen.isDone).toBe(false);
  await put('/idle/7', '{"number":0}');
  await becomesDone(seen);
});

test('while work is awaited, nothing holds the objects that are there', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  await put('/kept/a');
  let stored: WeakRef<readonly string[]> | undefined;
  const hasWork = (texts: readonly string[]): boolean => {
    stored = new WeakRef(texts);
    return false;
  };
  const seen = watched(firstWork([{ storage, keyPrefix: '/kept/' }], { hasWork, signal }));
  await vi.waitFor(() => expect(stored).toBeDefined());
  await expect
    .poll(() => {
      collectGarbage();
      return stored?.deref() === undefined;
    })
    .toBe(true);
  expect(seen.isDone).toBe(false);
  await put('/kept/b');
  await becomesDone(seen);
});

test('work in what is there is not waited for', async () => {
  await put('/busy/a', '{"deletionTimestamp":""}');
  const hasWork = (texts: readonly string[]): boolean => texts.some((text) => text.includes('deletionTimestamp'));
  await firstWork([{ storage, keyPrefix: '/busy/' }], { hasWork, signal });
});

test('a change after a revision is told, those before it are not', async () => {
  const revision = await put('/changes/a');
  const place = [{ storage, keyPrefix: '/changes/' }];
  await firstChange(place, { afterRevision: revision - 1, signal });
  const seen = watched(firstChange(place, { afterRevision: revision, signal }));
  await put('/changes/a');
  await becomesDone(seen);
});

test('who stops waits for nothing', async () => {
  const stop = new AbortController();
  const seen = watched(firstWork([{ storage, keyPrefix: '/never/' }], { signal: stop.signal }));
  const nowhere = watched(firstChange([], { afterRevision: 0, signal: stop.signal }));
  stop.abort();
  await becomesDone(seen);
  await becomesDone(nowhere);
});

test('an object that cannot be read is work', async () => {
  await put('/sealed/a', 'sealed');
  const sealed = translated(storage, {
    read() {
      throw new Error('no object');
    },
    write: (value) => value,
  });
  await firstWork([{ storage: sealed, keyPrefix: '/sealed/' }], { hasWork: () => false, signal });
});
