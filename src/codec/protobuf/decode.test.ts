import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../api/json/json.ts';
import { encodeJson } from '../../schema/encode-json.ts';
import { schemaByName } from '../../schema/kubernetes/definitions.ts';
import { decodeProtobuf } from './decode.ts';
import { encodeProtobuf } from './encode.ts';
import { readEnvelope } from './envelope.ts';
import { ProtobufError } from '../../api/bytes/wire-reader.ts';

/** One length-delimited field. */
function field(number: number, bytes: Uint8Array | string): Buffer {
  const body = Buffer.from(bytes);
  return Buffer.concat([Buffer.from([number * 8 + 2, body.length]), body]);
}

function varint(number: number, value: number): Buffer {
  return Buffer.from([number * 8, value]);
}

function decodeAs(name: string, bytes: Uint8Array): JsonObject {
  const schema = schemaByName(name);
  if (schema === undefined) throw new Error(name);
  return JSON.parse(encodeJson(schema, decodeProtobuf(schema, bytes))) as JsonObject;
}

describe('protobuf messages', () => {
  test('strings, maps, lists, embedded messages, times and quantities of a pod', () => {
    const labels = field(11, Buffer.concat([field(1, 'app'), field(2, 'web')]));
    const created = field(8, Buffer.from([8, 0x80, 0x94, 0xeb, 0xdc, 0x03]));
    const metadata = field(1, Buffer.concat([field(1, 'a'), created, labels]));
    const limits = field(1, Buffer.concat([field(1, 'cpu'), field(2, field(1, '1000m'))]));
    const port = field(6, Buffer.concat([varint(3, 80), field(4, 'TCP')]));
    const container = field(2, Buffer.concat([field(1, 'c'), field(8, limits), port]));
    // A volume's source is a nested message in protobuf, inlined in JSON.
    const volume = field(1, Buffer.concat([field(1, 'v'), field(2, field(2, Buffer.alloc(0)))]));
    const spec = field(2, Buffer.concat([container, volume, varint(4, 30)]));
    expect(decodeAs('io.k8s.api.core.v1.Pod', Buffer.concat([metadata, spec]))).toMatchObject({
      metadata: { name: 'a', creationTimestamp: '2001-09-09T01:46:40Z', labels: { app: 'web' } },
      spec: {
        containers: [
          { name: 'c', resources: { limits: { cpu: '1' } }, ports: [{ containerPort: 80, protocol: 'TCP' }] },
        ],
        terminationGracePeriodSeconds: 30,
        volumes: [{ name: 'v', emptyDir: {} }],
      },
    });
  });

  test('unknown fields are skipped, truncated ones refused', () => {
    const schema = 'io.k8s.api.core.v1.ConfigMap';
    expect(decodeAs(schema, Buffer.concat([field(15, 'x'), field(1, field(1, 'a'))]))).toMatchObject({
      metadata: { name: 'a' },
    });
    expect(() => decodeAs(schema, Buffer.from([0x0a, 0x7f, 1]))).toThrow(ProtobufError);
  });

  test('each byte of invalid UTF-8 becomes one U+FFFD', () => {
    const data = field(2, Buffer.concat([field(1, 'k'), field(2, Buffer.from('61fffe62', 'hex'))]));
    expect(decodeAs('io.k8s.api.core.v1.ConfigMap', data)).toMatchObject({ data: { k: 'a\ufffd\ufffdb' } });
  });

  test('invalid fieldsV1 stays text, which its readers refuse', () => {
    const fields = field(7, field(1, '{"f:a":{}}{}'));
    const entry = Buffer.concat([field(1, 'm'), field(6, 'FieldsV1'), fields]);
    // Field 17, whose tag takes two bytes.
    const metadata = Buffer.concat([Buffer.from([0x8a, 0x01]), lengthOf(entry), entry]);
    expect(decodeAs('io.k8s.api.core.v1.ConfigMap', field(1, metadata))).toMatchObject({
      metadata: { managedFields: [{ manager: 'm', fieldsType: 'FieldsV1', fieldsV1: '{"f:a":{}}{}' }] },
    });
  });

  test('nesting is bounded', () => {
    const schema = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';
    // Field 26 is `not`, again a schema.
    let not: Buffer = field(2, 'd');
    for (let i = 0; i < 500; i += 1) not = Buffer.concat([Buffer.from([0xd2, 0x01]), lengthOf(not), not]);
    expect(() => decodeAs(schema, not)).toThrow(ProtobufError);
  });
});

function lengthOf({ length }: Buffer): Buffer {
  return length < 128 ? Buffer.from([length]) : Buffer.from([(length & 0x7f) | 0x80, length >> 7]);
}

test('a body without the prefix is refused', () => {
  expect(() => readEnvelope(Buffer.from('{}'))).toThrow('expected prefix [107 56 115 0]');
});

test('the parts of a message that occurs several times are merged', () => {
  const schema = schemaByName('io.k8s.api.core.v1.ConfigMap');
  if (schema === undefined) throw new Error('no config maps');
  const parts = [
    { metadata: { labels: { a: '1' }, finalizers: ['x'] }, data: { k: '1' } },
    { metadata: { labels: { b: '2', a: '3' }, finalizers: ['y'] }, data: { l: '2' } },
  ].map((part) => encodeProtobuf(schema, part));
  expect(decodeProtobuf(schema, Buffer.concat(parts))).toEqual({
    metadata: { labels: { a: '3', b: '2' }, finalizers: ['x', 'y'] },
    data: { k: '1', l: '2' },
  });
});
