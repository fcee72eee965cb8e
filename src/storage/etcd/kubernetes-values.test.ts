import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { textOf } from '../conformance/fixture.ts';
import type { Storage, StorageError, StorageEvent } from '../contract.ts';
import { openEmbeddedStorage } from '../embedded/engine.ts';
import { kubernetesValues, type ProtobufValues } from './kubernetes-values.ts';

const root = await mkdtemp(join(tmpdir(), 'binnacle-values-'));
afterAll(() => rm(root, { recursive: true }));

/** Stands for a message: `k8s`, a zero and the JSON. */
const protobuf: ProtobufValues = {
  read(value) {
    if (value.length < 6) throw new Error('cut off');
    return value.subarray(4);
  },
  write: (json) => (textOf(json).includes('message') ? Buffer.concat([Buffer.from('k8s\0'), json]) : undefined),
};

async function open(): Promise<{ readonly below: Storage; readonly above: Storage }> {
  const below = await openEmbeddedStorage({ dataDir: await mkdtemp(join(root, 'data-')) });
  return { below, above: kubernetesValues(below, protobuf) };
}

const put = (storage: Storage, key: string, text: string, expectedModRevision = 0) =>
  storage.put({ key, value: Buffer.from(text), expectedModRevision });

test('JSON has a newline below and none above, wherever it is seen', async () => {
  const { below, above } = await open();
  const events: StorageEvent[] = [];
  const watch = above.watch(
    { start: 'a', end: 'b', afterRevision: 1 },
    { events: (batch) => events.push(...batch), progress: () => undefined, failed: () => undefined },
  );
  const written = await put(above, 'a', '{"a":1}');
  expect(textOf((await below.get('a')).kv!.value)).toBe('{"a":1}\n');
  expect(textOf((await above.get('a')).kv!.value)).toBe('{"a":1}');
  expect((await above.range({ start: 'a', end: 'b' })).kvs.map(({ value }) => textOf(value))).toEqual(['{"a":1}']);
  const refused = await put(above, 'a', '{}');
  expect(!refused.succeeded && textOf(refused.current!.value)).toBe('{"a":1}');
  await put(below, 'a', '{"a":2}\n', written.revision);
  await above.delete({ key: 'a', expectedModRevision: (await above.get('a')).kv!.modRevision });
  const texts = events.map(({ value, previous }) => [value, previous?.value].map((bytes) => bytes && textOf(bytes)));
  expect(texts).toEqual([
    ['{"a":1}', undefined],
    ['{"a":2}', '{"a":1}'],
    [undefined, '{"a":2}'],
  ]);
  watch.cancel();
  await above[Symbol.asyncDispose]();
});

test('what is no JSON stays as it is', async () => {
  const { below, above } = await open();
  await put(above, 'a', '37');
  await put(below, 'b', '38\n');
  expect(textOf((await below.get('a')).kv!.value)).toBe('37');
  expect(textOf((await above.get('b')).kv!.value)).toBe('38\n');
  await above[Symbol.asyncDispose]();
});

test('what is written as protobuf is protobuf below and JSON above', async () => {
  const { below, above } = await open();
  await put(above, 'a', '{"message":1}');
  expect(textOf((await below.get('a')).kv!.value)).toBe('k8s\0{"message":1}');
  expect(textOf((await above.get('a')).kv!.value)).toBe('{"message":1}');
  await above[Symbol.asyncDispose]();
});

test('a value that cannot be read is refused with its key, and ends a watch', async () => {
  const { below, above } = await open();
  let failure: StorageError | undefined;
  above.watch(
    { start: 'a', end: 'b', afterRevision: 1 },
    { events: () => undefined, progress: () => undefined, failed: (error) => (failure = error) },
  );
  await put(below, 'a', 'k8s\0\n');
  const message = 'the object at a cannot be read: cut off';
  await expect(above.get('a')).rejects.toMatchObject({ code: 'unavailable', message });
  await expect(above.range({ start: 'a', end: 'b' })).rejects.toMatchObject({ message });
  expect(failure).toMatchObject({ code: 'unavailable', message });
  await above[Symbol.asyncDispose]();
});
