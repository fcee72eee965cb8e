import { expect, test } from 'vitest';
import { systemClock } from '../api/time/clock.ts';
import { deadlineIn } from '../api/time/deadline.ts';
import { locateVersion } from '../codec/stored-object.ts';
import { openEmbeddedStorage } from '../storage/embedded/engine.ts';
import { StorePorts } from '../storage/ports/store-ports.ts';
import { measured } from '../storage/measured.ts';
import { translated } from '../storage/translated.ts';
import { WatchCache } from './watch-cache.ts';

const object = '{"kind":"Thing","apiVersion":"v1","metadata":{"name":"a"}}';

test('the cache keeps values where the store keeps them, also when they move', async () => {
  await using engine = await openEmbeddedStorage({ dataDir: undefined });
  const named = (name: string): Buffer => Buffer.from(object.replace('"a"', `"${name}"`));
  for (const name of ['a', 'b'])
    await engine.put({ key: `/registry/things/${name}`, value: named(name), expectedModRevision: 0 });
  const use = { called: () => undefined, received: () => undefined, progressed: () => undefined };
  const plain = translated(measured(engine, use), { read: (value) => ({ value }), write: (value) => value });
  const cache = new WatchCache({
    storage: plain,
    prefix: '/registry/things/',
    readAttributes: () => ({ labels: {}, fields: {} }),
    clock: systemClock,
  });
  const { entries: before } = await cache.current(deadlineIn(5000));
  expect(before.get('/registry/things/a')?.located().bytes.buffer).toBeInstanceOf(ArrayBuffer);
  const ports = new StorePorts(engine, engine);
  ports.connect().port.close();
  await engine.put({ key: '/registry/things/b', value: named('c'), expectedModRevision: 3 });
  const { entries } = await cache.current(deadlineIn(5000));
  for (const [name, stored] of Object.entries({ a: 'a', b: 'c' })) {
    const entry = entries.get(`/registry/things/${name}`)!;
    const { kv } = await engine.get(entry.key);
    expect(entry.value.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect([entry.value.buffer, entry.value.byteOffset]).toEqual([kv!.value.buffer, kv!.value.byteOffset]);
    expect(entry.located()).toEqual(locateVersion(named(stored)));
  }
  cache.close();
});
