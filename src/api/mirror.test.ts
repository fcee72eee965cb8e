import { expect, test } from 'vitest';
import type { Lister } from './client.ts';
import { Mirror } from './mirror.ts';
import type { KubernetesObject } from './object.ts';

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
    ...{ client: lister, collection, signal: stop.signal },
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
