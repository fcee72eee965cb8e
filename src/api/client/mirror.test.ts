import { expect, test } from 'vitest';
import type { Lister } from './client.ts';
import { Mirror } from './mirror.ts';
import type { KubernetesObject } from '../meta/object.ts';

const collection = { group: '', version: 'v1', resource: 'configmaps', namespace: '' };

const named = (name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'a', name },
});

/** Has two objects, and tells of two more at once. */
const lister: Lister<KubernetesObject> = {
  list: () => Promise.resolve({ items: [named('listed'), named('listed-too')], resourceVersion: '1' }),
  async *watch() {
    await Promise.resolve();
    yield { type: 'ADDED', object: named('added') };
    yield { type: 'ADDED', object: named('added-too') };
  },
};

test.each([
  ['while it lists', 'listed', ['listed']],
  ['while it follows', 'added', ['listed', 'listed-too', 'added']],
])('nothing is reported once it has been stopped %s', async (_when, last, expected) => {
  const stop = new AbortController();
  const seen: string[] = [];
  const mirror = new Mirror({
    client: lister,
    collection,
    signal: stop.signal,
    set: ({ metadata: { name = '' } }) => {
      seen.push(name);
      if (name === last) stop.abort();
    },
    remove: () => undefined,
    onError: (error) => expect(error).toBeUndefined(),
  });
  await mirror.start();
  await expect.poll(() => stop.signal.aborted).toBe(true);
  await new Promise((resolve) => void setImmediate(resolve));
  expect(seen).toEqual(expected);
});

test('a list that fails because of its being stopped is not told of', async () => {
  const stop = new AbortController();
  const closing: Lister<KubernetesObject> = {
    list: () => new Promise((_, reject) => stop.signal.addEventListener('abort', () => reject(new Error('closed')))),
    watch: () => expect.fail('nothing has been listed'),
  };
  const received: unknown[] = [];
  const mirror = new Mirror({
    client: closing,
    collection,
    signal: stop.signal,
    onError: (error) => received.push(error),
    set: () => undefined,
    remove: () => undefined,
  });
  const started = mirror.startRetrying();
  stop.abort();
  await started;
  expect(received).toEqual([]);
});

test('a collection that cannot be listed for long is told of once, and once more after it could be', async () => {
  const stop = new AbortController();
  const received: string[] = [];
  let lists = 0;
  const failing: Lister<KubernetesObject> = {
    list() {
      lists += 1;
      const isReadable = lists === 3 || lists === 5;
      return isReadable
        ? Promise.resolve({ items: [named('listed')], resourceVersion: '1' })
        : Promise.reject(new Error('corrupt object'));
    },
    async *watch() {
      await Promise.resolve();
      if (lists === 5) stop.abort();
      yield { type: 'ADDED', object: named('added') };
    },
  };
  const onError = (error: unknown): void => void received.push(String(error));
  await new Mirror({
    client: failing,
    collection,
    signal: stop.signal,
    onError,
    set: () => undefined,
    remove: () => undefined,
  }).startRetrying();
  await expect.poll(() => stop.signal.aborted, { timeout: 10_000 }).toBe(true);
  expect([lists, received]).toEqual([5, ['Error: corrupt object', 'Error: corrupt object']]);
});
