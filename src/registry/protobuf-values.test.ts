import { expect, test } from 'vitest';
import { readEnvelope, writeEnvelope } from '../codec/protobuf/envelope.ts';
import { schemaOfKind } from '../schema/kubernetes/definitions.ts';
import { protobufValues } from './protobuf-values.ts';

const { read, write } = protobufValues(schemaOfKind);

const stored =
  '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"b","uid":"u","creationTimestamp":"2026-11-21T10:00:00Z"},"data":{"k":"v"}}';

test('stored JSON comes back from protobuf as it was', () => {
  const message = write(Buffer.from(stored));
  expect(Buffer.from(message!.subarray(0, 4)).toString()).toBe('k8s\0');
  expect(Buffer.from(read(message!)).toString()).toBe(stored);
});

test('fields that a newer server has written are gone', () => {
  const { raw, ...type } = readEnvelope(write(Buffer.from(stored))!);
  // Fields 15 and 100 are in no config map.
  const newer = Buffer.concat([raw, Buffer.from('7a036e6577', 'hex'), Buffer.from('a00601', 'hex')]);
  expect(Buffer.from(read(writeEnvelope({ ...type, raw: newer }))).toString()).toBe(stored);
});

test('what has no such form stays JSON', () => {
  expect(write(Buffer.from('{"kind":"Own","apiVersion":"example.com/v1","metadata":{}}'))).toBeUndefined();
  expect(write(Buffer.from('{"a":1}'))).toBeUndefined();
  expect(write(Buffer.from('[]'))).toBeUndefined();
});

test('a kind that nobody knows is told by its name', () => {
  const message = write(Buffer.from(stored))!;
  const unknown = Buffer.from(Buffer.from(message).toString('latin1').replace('ConfigMap', 'ConfigMop'), 'latin1');
  expect(() => read(unknown)).toThrow('no kind ConfigMop is known in v1');
  expect(() => read(Buffer.from('k8s\0\x0a\xff'))).toThrow('unexpected EOF');
});
