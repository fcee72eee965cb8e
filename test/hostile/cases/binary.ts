import {
  arrayOf,
  cbor,
  cborText,
  indefiniteArray,
  indefiniteEnd,
  indefiniteMap,
  indefiniteText,
  mapOf,
  selfDescribed,
  tagOf,
  textHeader,
} from '../cbor.ts';
import { type HostileCase, requestCase } from '../hostile-case.ts';
import { bytesField, envelope, numberField, repeated, varint } from '../proto.ts';
import { namespaced } from '../text-bodies.ts';

const bytes = 2_900_000;
const field = {
  metadata: 1,
  spec: 2,
  data: 2,
  containers: 2,
  name: 1,
  labels: 11,
  finalizers: 14,
  env: 7,
  args: 4,
  ports: 6,
};
const startGroup = Buffer.from([0x0b]);

const pod = (...parts: readonly Uint8Array[]): Buffer => envelope('v1', 'Pod', Buffer.concat(parts));
const spec = (part: Uint8Array): Buffer => bytesField(field.spec, part);
const metadata = (part: Uint8Array): Buffer => bytesField(field.metadata, part);
const fill = (item: Uint8Array): Buffer => repeated(item, Math.floor(bytes / item.length));
const container = (part: Uint8Array): Buffer => spec(bytesField(field.containers, part));

/** Map entries with distinct keys. */
function entries(fieldNumber: number): Buffer {
  const made: Buffer[] = [];
  for (let length = 0; length < bytes; length += made.at(-1)?.length ?? 0) {
    made.push(bytesField(fieldNumber, Buffer.concat([bytesField(1, `a${made.length}`), bytesField(2, '')])));
  }
  return Buffer.concat(made);
}

function nested(depth: number, fieldNumber: number): Buffer {
  let inner: Buffer = Buffer.alloc(0);
  for (let level = 0; level < depth; level += 1) inner = bytesField(fieldNumber, inner);
  return inner;
}

/** Unknown within Unknown: the raw bytes of each are the next envelope. */
function envelopes(depth: number): Buffer {
  let inner: Buffer = Buffer.alloc(0);
  for (let level = 0; level < depth; level += 1) inner = envelope('v1', 'Pod', inner);
  return inner;
}

const protobufBodies: Readonly<Record<string, () => Uint8Array>> = {
  'empty containers': () => pod(spec(fill(bytesField(field.containers, '')))),
  'empty volumes': () => pod(spec(fill(bytesField(1, '')))),
  'empty variables': () => pod(container(fill(bytesField(field.env, '')))),
  'empty ports': () => pod(container(fill(bytesField(field.ports, '')))),
  'empty arguments': () => pod(container(fill(bytesField(field.args, '')))),
  'empty owners': () => pod(metadata(fill(bytesField(13, '')))),
  'empty managed fields': () => pod(metadata(fill(bytesField(17, '')))),
  'empty finalizers': () => pod(metadata(fill(bytesField(field.finalizers, '')))),
  labels: () => pod(metadata(entries(field.labels))),
  'one label again and again': () => pod(metadata(fill(bytesField(field.labels, '')))),
  'empty specs that are merged': () => pod(fill(bytesField(field.spec, ''))),
  'specs of one container that are merged': () => pod(fill(spec(bytesField(field.containers, '')))),
  'metadata that is merged': () => pod(fill(metadata(bytesField(field.name, 'a')))),
  'labels of metadata that is merged': () => pod(fill(metadata(bytesField(field.labels, bytesField(1, 'a'))))),
  'security contexts that are merged': () => pod(spec(fill(bytesField(14, numberField(2, 1))))),
  'unknown fields': () => pod(fill(numberField(1000, 1))),
  'unknown bytes': () => pod(fill(bytesField(1000, ''))),
  groups: () => pod(fill(startGroup)),
  'groups in groups': () => pod(startGroup, fill(Buffer.from([0x0b, 0x0c])), Buffer.from([0x0c])),
  'packed numbers': () => pod(spec(bytesField(14, bytesField(4, fill(varint(1)))))),
  'numbers not packed': () => pod(spec(bytesField(14, fill(numberField(4, 1))))),
  'long varints': () => pod(fill(Buffer.concat([varint((1000 << 3) | 0), varint(0xffffffffffffffffn)]))),
  'a varint without end': () => pod(Buffer.alloc(bytes, 0xff)),
  'a length beyond the end': () => pod(Buffer.concat([varint((field.spec << 3) | 2), varint(0x7fffffffffffffffn)])),
  'a negative length': () => pod(Buffer.concat([varint((field.spec << 3) | 2), varint(-1n)])),
  'a length of 4 GB': () => pod(Buffer.concat([varint((field.spec << 3) | 2), varint(0xffffffffn)])),
  'envelopes in envelopes': () => envelopes(30_000),
  'deep affinity': () => pod(nested(30_000, field.spec)),
  'a name without UTF-8': () => pod(metadata(bytesField(field.name, Buffer.alloc(bytes, 0xff)))),
  'a long name': () => pod(metadata(bytesField(field.name, 'a'.repeat(bytes)))),
};

const podHead = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'hostile' } };

const cborSpec = (containers: Uint8Array): Buffer => cbor({ ...podHead, spec: { containers } });
const count = Math.floor(bytes / 2);
const podWith = (spec: object): Buffer => cbor({ ...podHead, spec });
const configMapOf = (data: Uint8Array): Buffer =>
  cbor({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'hostile' }, data });
const listOf = (length: number, item: Uint8Array): Buffer => Buffer.concat([arrayOf(length), repeated(item, length)]);
const mapOfKeys = (keys: number, value: Uint8Array): Buffer =>
  Buffer.concat([mapOf(keys), ...Array.from({ length: keys }, (_, n) => Buffer.concat([cborText(`k${n}`), value]))]);

const cborBodies: Readonly<Record<string, () => Uint8Array>> = {
  'empty containers': () => cborSpec(Buffer.concat([arrayOf(bytes), Buffer.alloc(bytes, 0xa0)])),
  'nulls for containers': () => cborSpec(Buffer.concat([arrayOf(bytes), Buffer.alloc(bytes, 0xf6)])),
  'empty lists for containers': () => cborSpec(Buffer.concat([arrayOf(bytes), Buffer.alloc(bytes, 0x80)])),
  numbers: () => cborSpec(Buffer.concat([indefiniteArray, Buffer.alloc(bytes, 0x01), indefiniteEnd])),
  'empty indefinite maps': () =>
    cborSpec(
      Buffer.concat([indefiniteArray, repeated(Buffer.concat([indefiniteMap, indefiniteEnd]), count), indefiniteEnd]),
    ),
  'indefinite lists in lists': () => cborSpec(Buffer.alloc(bytes, indefiniteArray)),
  'lists in lists': () => cborSpec(Buffer.alloc(bytes, 0x81)),
  'text in empty pieces': () => cborSpec(Buffer.concat([indefiniteText, Buffer.alloc(bytes, 0x60), indefiniteEnd])),
  'text in pieces of one letter': () =>
    cborSpec(Buffer.concat([indefiniteText, repeated(cborText('a'), count), indefiniteEnd])),
  'tags in tags': () => cborSpec(Buffer.alloc(bytes, tagOf(1))),
  'tagged items': () =>
    cborSpec(
      Buffer.concat([indefiniteArray, repeated(Buffer.concat([tagOf(21), cborText('')]), count), indefiniteEnd]),
    ),
  'a list of 4 billion': () => cborSpec(arrayOf(0xffffffff)),
  'a map of 4 billion': () => cborSpec(mapOf(0xffffffff)),
  'a text of 4 GB': () => cborSpec(textHeader(0xffffffff)),
  'equal keys': () =>
    cborSpec(Buffer.concat([mapOf(count), repeated(Buffer.concat([cborText(''), Buffer.from([1])]), count)])),
  'keys of their own': () => cborSpec(mapOfKeys(300_000, Buffer.from([1]))),
  'large numbers': () =>
    cborSpec(
      Buffer.concat([
        indefiniteArray,
        repeated(Buffer.concat([tagOf(2), Buffer.from([0x49]), Buffer.alloc(9, 0xff)]), 190_000),
        indefiniteEnd,
      ]),
    ),
};

/** As clients write them: read by the fast decoder. Their answers are CBOR, too. */
const usualCbor: Readonly<Record<string, { readonly of: string; readonly body: () => Uint8Array }>> = {
  containers: { of: 'pods', body: () => cborSpec(listOf(120_000, cbor({ name: 'a', image: 'registry' }))) },
  'containers in lists of one': {
    of: 'pods',
    body: () => cborSpec(listOf(20_000, cbor({ name: 'a', env: [{ name: 'a', valueFrom: { fieldRef: {} } }] }))),
  },
  groups: { of: 'pods', body: () => podWith({ securityContext: { supplementalGroups: listOf(bytes, cbor(1)) } }) },
  arguments: { of: 'pods', body: () => podWith({ containers: [{ name: 'a', args: listOf(count, cborText('a')) }] }) },
  'keys of data': { of: 'configmaps', body: () => configMapOf(mapOfKeys(200_000, cborText('a'))) },
  'one key': { of: 'configmaps', body: () => configMapOf(cbor({ a: 'é'.repeat(count) })) },
  'managed fields': {
    of: 'configmaps',
    body: () => {
      const fields = { 'f:data': mapOfKeys(100_000, cbor({})) };
      const entry = { manager: 'a', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: fields };
      return cbor({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'hostile', managedFields: [entry] } });
    },
  },
};

const binaryCases = (
  name: string,
  contentType: string,
  bodies: Readonly<Record<string, () => Uint8Array>>,
): readonly HostileCase[] =>
  Object.entries(bodies).map(([what, body]) =>
    requestCase({
      name: `${name}: ${what}`,
      path: `${namespaced('pods')}?dryRun=All&fieldValidation=Ignore`,
      headers: { 'content-type': contentType },
      codes: [400, 413, 422],
      body,
    }),
  );

export const protobufCases = binaryCases('protobuf', 'application/vnd.kubernetes.protobuf', protobufBodies);

export const cborCases = binaryCases(
  'CBOR',
  'application/cbor',
  Object.fromEntries(
    Object.entries(cborBodies).map(([what, body]) => [what, () => Buffer.concat([selfDescribed, body()])]),
  ),
);

export const usualCborCases: readonly HostileCase[] = Object.entries(usualCbor).flatMap(([what, { of, body }]) => {
  const accept = 'application/cbor';
  const path = namespaced(of);
  return [
    requestCase({
      name: `usual CBOR: ${what}`,
      path: `${path}?dryRun=All`,
      headers: { accept, 'content-type': 'application/cbor' },
      codes: [201, 422],
      body,
    }),
    requestCase({
      name: `usual CBOR: apply ${what}`,
      method: 'PATCH',
      path: `${path}/hostile?dryRun=All&fieldManager=hostile&force=true`,
      headers: { accept, 'content-type': 'application/apply-patch+cbor' },
      // Managed fields are not accepted here, and keys of lists must be unique.
      codes: [200, 201, 400, 422, 500],
      body,
    }),
  ];
});
