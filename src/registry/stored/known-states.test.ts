import { expect, test } from 'vitest';
import { forgetState, keepWritten, knownJson, knownState, noteEncoded, whileWritten } from './known-states.ts';

const codec = {};
const stored = (bytes: Uint8Array): Parameters<typeof knownState>[0] => ({ key: '/a', value: bytes, modRevision: 7 });

test('what was written is known by its key and bytes, until it is forgotten', () => {
  const bytes = Buffer.from('{}');
  noteEncoded({ codec, bytes, parsed: {}, decoded: new Map() });
  expect(knownState(stored(bytes), codec)).toBeUndefined();
  keepWritten('/a', bytes);
  expect(knownState(stored(Buffer.from('{}')), codec)?.bytes).toBe(bytes);
  expect(knownState(stored(Buffer.from('{ }')), codec)).toBeUndefined();
  expect(knownState(stored(bytes), {})).toBeUndefined();
  forgetState('/a');
  expect(knownState(stored(bytes), codec)).toBeUndefined();
  // Nothing but the limit keeps a state, even while the bytes live.
  keepWritten('/a', bytes);
  expect(knownState(stored(bytes), codec)).toBeUndefined();
});

test('what is being written is known as JSON, and afterwards if it has been written', async () => {
  const known = (bytes: Uint8Array): unknown => knownJson(stored(Buffer.from(bytes)));
  const [first, second] = [Buffer.from('{"a":1}'), Buffer.from('{"a":2}')];
  for (const [bytes, parsed] of [
    [first, { a: 1 }],
    [second, { a: 2 }],
  ] as const) {
    noteEncoded({ codec, bytes, parsed, decoded: new Map() });
  }
  const meanwhile: unknown[] = [];
  const put = (succeeded: boolean) => async () => {
    meanwhile.push(known(first), known(second));
    return { succeeded };
  };
  await whileWritten('/a', first, put(true));
  expect(meanwhile).toEqual([{ a: 1 }, undefined]);
  expect(known(first)).toEqual({ a: 1 });
  expect(knownState(stored(first), codec)?.parsed).toEqual({ a: 1 });
  await whileWritten('/a', second, put(false));
  expect(meanwhile.slice(2)).toEqual([{ a: 1 }, { a: 2 }]);
  expect([known(first), known(second)]).toEqual([{ a: 1 }, undefined]);
  expect(knownJson({ value: first, modRevision: 7 })).toBeUndefined();
  forgetState('/a');
});
