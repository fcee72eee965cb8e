import { expect, test } from 'vitest';
import { forgetState, keepWritten, knownState, noteEncoded } from './known-states.ts';

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
