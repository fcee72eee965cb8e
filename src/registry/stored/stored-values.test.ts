import { systemClock } from '../../api/time/clock.ts';
import { expect, test } from 'vitest';
import { readEnvelope, writeEnvelope } from '../../codec/protobuf/envelope.ts';
import { schemaOfKind } from '../../schema/kubernetes/definitions.ts';
import { builtInResources } from '../../schema/kubernetes/resources.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Converter } from '../kinds/conversion.ts';
import { storedValues, type StoredValuesOptions, type StoreFormat } from './stored-values.ts';

const own =
  '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"b","uid":"u","creationTimestamp":"2026-11-21T10:00:00Z"},"data":{"k":"v"}}';

const renaming: Converter = {
  waits: false,
  convert: (objects, { group, version, kind }) =>
    objects.map((object) => ({ ...object, kind, apiVersion: group === '' ? version : `${group}/${version}` })),
};

function values(
  encoding: StoreFormat['encoding'],
  options: Partial<StoredValuesOptions> & { readonly plural?: string } = {},
) {
  const { plural = 'configmaps' } = options;
  const stored = builtInResources().find((resource) => resource.plural === plural) as Resource;
  return storedValues(
    { stored, converter: renaming, defaulters: {}, clock: systemClock, strategy: {}, ...options },
    { encoding, schemaOf: schemaOfKind },
  );
}

function text(value: Uint8Array): string {
  return Buffer.from(value).toString();
}

test('our JSON is the same above and below', () => {
  const value = Buffer.from(own);
  const { read, write } = values('json');
  expect(read(value)).toEqual({ value });
  expect(read(value).value).toBe(value);
  expect(write(value)).toBe(value);
});

test('foreign JSON is put into our order and defaulted', () => {
  const { read } = values('json', {
    defaulters: { 'io.k8s.api.core.v1.ConfigMap': (map) => void (map['immutable'] ??= true) },
    strategy: { complete: ({ metadata }) => void (metadata.labels = { complete: 'yes' }) },
  });
  const other = '{"metadata":{"uid":"u","name":"a"},"apiVersion":"v1","kind":"ConfigMap","unknown":1}\n';
  const { value, stale } = read(Buffer.from(other));
  expect(text(value)).toBe(
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","uid":"u","labels":{"complete":"yes"}},"immutable":true}',
  );
  expect(stale).toBe(false);
});

test('protobuf round-trips, without fields written by a newer server', () => {
  const { read, write } = values('protobuf');
  const message = write(Buffer.from(own));
  expect(text(message.subarray(0, 4))).toBe('k8s\0');
  expect(text(read(message).value)).toBe(own);
  const { raw, ...type } = readEnvelope(message);
  // ConfigMap has no fields 15 and 100.
  const newer = Buffer.concat([raw, Buffer.from('7a036e6577', 'hex'), Buffer.from('a00601', 'hex')]);
  expect(text(read(writeEnvelope({ ...type, raw: newer })).value)).toBe(own);
});

test('values that would be encoded differently are stale', () => {
  const message = values('protobuf').write(Buffer.from(own));
  expect(values('protobuf').read(message).stale).toBe(false);
  expect(values('json').read(message).stale).toBe(true);
  const older = own.replace('"v1"', '"v1beta1"');
  const schemaOf = (): ReturnType<typeof schemaOfKind> => schemaOfKind({ group: '', version: 'v1', kind: 'ConfigMap' });
  const [stored] = builtInResources().filter(({ plural }) => plural === 'configmaps');
  if (stored === undefined) throw new Error('no config maps');
  const options = { stored, converter: renaming, defaulters: {}, clock: systemClock, strategy: {} };
  expect(storedValues(options, { encoding: 'json', schemaOf }).read(Buffer.from(older)).stale).toBe(true);
});

test('a version readable by an older release is written, and read again', () => {
  const schema = schemaOfKind({ group: 'resource.k8s.io', version: 'v1beta2', kind: 'DeviceClass' });
  if (schema === undefined) throw new Error('no device classes');
  const written = { group: 'resource.k8s.io', version: 'v1beta2', kind: 'DeviceClass', schema };
  const { read, write } = values('json', { plural: 'deviceclasses', written });
  const value = '{"kind":"DeviceClass","apiVersion":"resource.k8s.io/v1","metadata":{"name":"a"},"spec":{}}';
  const below = write(Buffer.from(value));
  expect(text(below)).toContain('"apiVersion":"resource.k8s.io/v1beta2"');
  expect(text(read(below).value)).toBe(value);
  expect(read(below).stale).toBe(false);
});

test('APIServices are always JSON', () => {
  const value = '{"kind":"APIService","apiVersion":"apiregistration.k8s.io/v1","metadata":{"name":"a"}}';
  expect(text(values('protobuf', { plural: 'apiservices' }).write(Buffer.from(value)))).toBe(value);
});

test('blanks before JSON do not matter', () => {
  const value = ' \n{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}}\n';
  const { metadata } = JSON.parse(text(values('json').read(Buffer.from(value)).value)) as { metadata: object };
  expect(metadata).toMatchObject({ name: 'a' });
});

test.each([
  [own.replace('ConfigMap', 'ConfigMop'), 'no kind "ConfigMop" is registered for version "v1" in scheme'],
  [own.replace('ConfigMap', 'Secret'), 'converting (v1.Secret) to (core.ConfigMap): unknown conversion'],
  ['{"a":1}', 'no kind "" is registered for version ""'],
  ['37', 'illegal base64 data at input byte 0'],
  ['garbage', 'illegal base64 data at input byte 4'],
  ['aGVs*bG8=', 'illegal base64 data at input byte 4'],
  ['aGVs\nbG8', 'illegal base64 data at input byte 5'],
  ['\0\0\0', 'illegal base64 data at input byte 0'],
  [`${'abcd'.repeat(40)}!`, 'illegal base64 data at input byte 160'],
  ['aGVsbG8=', 'unknown encoding of a stored object'],
  ['{', "couldn't get version/kind; json parse error: unexpected end of JSON input"],
  ['{"a":1} x', "couldn't get version/kind; json parse error: invalid character 'x' after top-level value"],
  ['k8s\0\x0a\xff', 'unexpected EOF'],
])('%j is not read', (value, message) => {
  expect(() => values('json').read(Buffer.from(value, 'latin1'))).toThrow(message);
});
