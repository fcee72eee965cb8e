import { expect, test } from 'vitest';
import { schemaByName } from '../../schema/kubernetes/definitions.ts';
import { decodeCbor, decodeFreeMap } from './decode.ts';
import { encodeCbor } from './encode.ts';
import { writeCborWatchEvent } from './watch-event.ts';

const schema = schemaByName('io.k8s.api.core.v1.Pod');
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'i' }], hostNetwork: true },
};

test('fields begin anywhere, and mean the same', () => {
  if (schema === undefined) throw new Error('there is no schema of pods');
  const encoded = Array.from({ length: 100 }, (_, rotation) => encodeCbor(schema, pod, rotation));
  expect(new Set(encoded.map((bytes) => bytes.toString('hex'))).size).toBeGreaterThan(3);
  const first = decodeCbor(schema, encodeCbor(schema, pod)).value;
  for (const bytes of encoded) expect(decodeCbor(schema, bytes).value).toEqual(first);
  // The next one begins at the first again.
  expect(encodeCbor(schema, pod)).toEqual(encoded[0]);
});

test('the object of an event comes first or last', () => {
  const object = encodeCbor(schema, pod);
  const [last, first] = [writeCborWatchEvent('ADDED', object), writeCborWatchEvent('ADDED', object, true)];
  expect(first).not.toEqual(last);
  expect(Object.keys(decodeFreeMap(first))).toEqual(['object', 'type']);
  expect(decodeFreeMap(first)).toEqual(decodeFreeMap(last));
});
