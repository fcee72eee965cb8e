import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../api/json.ts';
import type { Work } from '../../api/turns.ts';
import { schemaByName } from '../../schema/kubernetes/definitions.ts';
import type { Schema } from '../../schema/schema.ts';
import { longestStepRatio } from '../../../test/cpu-time.ts';
import { decodeProtobuf, readProtobuf } from './decode.ts';
import { encodeProtobuf } from './encode.ts';

const schema = podSchema();

function podWith(metadata: JsonObject, container: JsonObject = {}): Buffer {
  return encodeProtobuf(schema, {
    metadata: { name: 'a', ...metadata },
    spec: { containers: [{ name: 'small' }, { name: 'c', ...container }, { name: 'last' }], nodeName: 'n' },
  });
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const bodies: readonly (readonly [string, Buffer])[] = [
  ['labels', podWith({ labels: Object.fromEntries(numbers(170_000).map((i) => [`l${i}`, ''])) })],
  ['empty texts in a list', podWith({ finalizers: numbers(1_000_000).map(() => '') })],
  ['objects in a list of objects', podWith({}, { env: numbers(100_000).map((i) => ({ name: `e${i}` })) })],
];

/** Of a typical machine. */
const boundMs = 150;

describe.each(bodies)('a long message: %s', (_, bytes) => {
  test('decodes in turns as at once', () => {
    const work = readProtobuf(schema, bytes);
    let step = work.next();
    while (step.done !== true) step = work.next();
    expect(JSON.stringify(step.value)).toBe(JSON.stringify(decodeProtobuf(schema, bytes)));
  });

  test('blocks the event loop only briefly', () => {
    expect(longestStepRatio((): Work<unknown> => readProtobuf(schema, bytes), boundMs)).toBeLessThan(1);
  });
});

test('a message in several parts is merged as at once', () => {
  const first = podWith({ labels: { a: '1' }, finalizers: numbers(20_000).map((i) => `f${i}`) }, { image: 'i' });
  const second = podWith({ labels: { b: '2' }, finalizers: ['z'] });
  const bytes = Buffer.concat([first, second, first]);
  const work = readProtobuf(schema, bytes);
  let step = work.next();
  while (step.done !== true) step = work.next();
  expect(step.value).toEqual(decodeProtobuf(schema, bytes));
});

function podSchema(): Schema {
  const known = schemaByName('io.k8s.api.core.v1.Pod');
  if (known === undefined) throw new Error('no pods');
  return known;
}
