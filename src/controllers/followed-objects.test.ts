import { expect, test } from 'vitest';
import type { ClientWatchEvent, Collection } from '../api/client/client.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { FollowedObjects } from './followed-objects.ts';

const collection: Collection = { group: '', version: 'v1', resource: 'pods', namespace: '' };

function pod(name: string, version: number, uid = `uid of ${name}`): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'n', name, uid, resourceVersion: String(version) } };
}

/** A collection whose changes the test tells. */
async function followed(items: readonly KubernetesObject[]) {
  const changes: string[] = [];
  const waiting: ClientWatchEvent[] = [];
  let wake = (): void => undefined;
  const stop = new AbortController();
  const objects = new FollowedObjects(
    collection,
    {
      signal: stop.signal,
      onError: (error) => expect.unreachable(String(error)),
      client: {
        list: () => Promise.resolve({ items, resourceVersion: '1' }),
        async *watch() {
          while (!stop.signal.aborted) {
            for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) yield event;
            await new Promise<void>((resolve) => (wake = resolve));
          }
        },
      },
    },
    {
      keep: (object) => object.metadata.resourceVersion,
      group: (version) => (version === '9' ? undefined : Number(version) % 2 === 0 ? 'even' : 'odd'),
      changed: ({ now, before, key }) => changes.push(`${key} ${before} ${now}`),
    },
  );
  await objects.ready;
  const tell = async (type: ClientWatchEvent['type'], object: KubernetesObject): Promise<void> => {
    waiting.push({ type, object });
    wake();
    await new Promise(setImmediate);
  };
  return { objects, changes, tell, stop };
}

test('tells of what is there and of what changes', async () => {
  const { objects, changes, tell, stop } = await followed([pod('a', 1)]);
  await tell('ADDED', pod('b', 2));
  await tell('MODIFIED', pod('a', 3));
  await tell('DELETED', pod('b', 4));
  expect(changes).toEqual(['n/a undefined 1', 'n/b undefined 2', 'n/a 1 3', 'n/b 2 undefined']);
  expect([objects.get('n', 'a'), objects.get('n', 'b'), [...objects.all()]]).toEqual(['3', undefined, ['3']]);
  stop.abort();
});

test('groups follow every change', async () => {
  const { objects, tell, stop } = await followed([pod('a', 1), pod('b', 1)]);
  expect([objects.in('odd'), objects.in('even')]).toEqual([['1', '1'], []]);
  await tell('MODIFIED', pod('a', 3));
  objects.learn(pod('b', 4));
  expect([objects.in('odd'), objects.in('even')]).toEqual([['3'], ['4']]);
  objects.forget(pod('b', 4));
  await tell('MODIFIED', pod('a', 9));
  expect([objects.in('odd'), objects.in('even')]).toEqual([[], []]);
  await tell('MODIFIED', pod('a', 10));
  await tell('DELETED', pod('a', 11));
  expect(objects.in('even')).toEqual([]);
  stop.abort();
});

test('what was written is known at once, and told of only when others change it', async () => {
  const { objects, changes, tell, stop } = await followed([pod('a', 1)]);
  objects.learn(pod('a', 5));
  expect(objects.get('n', 'a')).toBe('5');
  await tell('MODIFIED', pod('a', 4));
  await tell('MODIFIED', pod('a', 5));
  expect([objects.get('n', 'a'), changes.slice(1)]).toEqual(['5', []]);
  await tell('MODIFIED', pod('a', 6));
  expect(changes.slice(1)).toEqual(['n/a 5 6']);
  stop.abort();
});

test('what is heard of before it is learnt is told of once', async () => {
  const { objects, changes, tell, stop } = await followed([pod('a', 1)]);
  await tell('MODIFIED', pod('a', 5));
  objects.learn(pod('a', 5));
  await tell('MODIFIED', pod('a', 6));
  expect(changes.slice(1)).toEqual(['n/a 1 5', 'n/a 5 6']);
  await tell('DELETED', pod('a', 7));
  objects.forget(pod('a', 6));
  await tell('ADDED', pod('a', 8));
  expect(objects.get('n', 'a')).toBe('8');
  stop.abort();
});

test('what was deleted does not come back before another has its name', async () => {
  const { objects, changes, tell, stop } = await followed([pod('a', 1)]);
  objects.forget(pod('a', 1));
  await tell('MODIFIED', pod('a', 2));
  expect(objects.get('n', 'a')).toBe(undefined);
  await tell('DELETED', pod('a', 3));
  await tell('ADDED', pod('a', 4, 'another'));
  expect(changes.slice(1)).toEqual(['n/a undefined 4']);
  stop.abort();
});
