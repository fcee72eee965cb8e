import { WireWriter } from '../../../../src/api/bytes/wire-writer.ts';
import { type BodyCase, type Path, paths } from '../case.ts';

const protobufType = 'application/vnd.kubernetes.protobuf';
const prefix = Buffer.from('k8s\0', 'latin1');

function text(number: number, value: string): Buffer {
  return bytes(number, Buffer.from(value));
}

function bytes(number: number, ...content: readonly Uint8Array[]): Buffer {
  return new WireWriter().bytes(number, Buffer.concat(content)).finish();
}

function integer(number: number, value: number): Buffer {
  return new WireWriter().integer(number, value).finish();
}

function hex(digits: string): Buffer {
  return Buffer.from(digits.replaceAll(' ', ''), 'hex');
}

interface Type {
  readonly apiVersion?: string;
  readonly kind?: string;
}

function envelope(raw: readonly Uint8Array[], type: Type = {}, ...more: readonly Uint8Array[]): Buffer {
  const { apiVersion = 'v1', kind = 'ConfigMap' } = type;
  return Buffer.concat([prefix, bytes(1, text(1, apiVersion), text(2, kind)), bytes(2, ...raw), ...more]);
}

const metadata = bytes(1, text(1, 'a'));

function entry(number: number, key: string, value: Uint8Array): Buffer {
  return bytes(number, text(1, key), value);
}

const oneMore = bytes(1, entry(11, 'k', text(2, 'v')));

/** Bodies for ConfigMaps. */
const bodies: { readonly [name: string]: Buffer } = {
  'nothing at all': Buffer.alloc(0),
  'the prefix alone': prefix,
  'a part of the prefix': prefix.subarray(0, 3),
  'no prefix': Buffer.from('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}}'),
  'garbage after the prefix': Buffer.from('k8s\0garbagegarbage'),
  'an envelope that ends in its type': envelope([metadata]).subarray(0, 20),
  'an envelope that ends in its object': envelope([bytes(1, text(1, 'abcdefghijklm'))]).subarray(0, 30),
  'a type of another form': Buffer.concat([prefix, integer(1, 1), bytes(2, metadata)]),
  'an object of another form': Buffer.concat([prefix, integer(2, 1)]),
  'an object': envelope([metadata]),
  'an object that ends too early': envelope([metadata.subarray(0, 4)]),
  'two objects': envelope([bytes(1, text(1, 'first'))], {}, bytes(2, metadata)),
  'an encoding': envelope([metadata], {}, text(3, 'gzip')),
  'a content type': envelope([metadata], {}, text(4, 'application/json')),
  'a content type that is that of the object': envelope(
    [Buffer.from('{"metadata":{"name":"a"}}')],
    {},
    text(4, 'application/json'),
  ),
  'unknown fields': envelope([metadata, text(15, 'x'), integer(100, 1)], {}, integer(9, 1)),
  'a group': envelope([metadata, hex('7b 08 01 7c')]),
  'groups in a group': envelope([metadata, hex('7b 7b 12 01 61 7c 7c')]),
  'a group without an end': envelope([metadata, hex('7b')]),
  'the end of no group': envelope([hex('7c')]),
  'a wire type that there is not': envelope([metadata, hex('7e 01')]),
  'a wire type that there is not, of a field': envelope([hex('0f 01')]),
  'field 0': envelope([hex('00 00')]),
  'a field number past 32 bits': envelope([hex('80 80 80 80 80 01 01')]),
  'a tag that does not end': envelope([hex('ff'.repeat(12))]),
  'metadata of another form': envelope([integer(1, 1)]),
  'a name of another form': envelope([bytes(1, integer(1, 1))]),
  'a map of another form': envelope([metadata, integer(2, 1)]),
  'a boolean of another form': envelope([metadata, text(4, 'x')]),
  'an integer past 64 bits': envelope([metadata, hex(`20 ${'ff'.repeat(11)}`)]),
  'an integer of ten bytes': envelope([metadata, hex(`20 ${'ff'.repeat(9)} 01`)]),
  'a negative length': envelope([hex(`0a ${'ff'.repeat(9)} 01`)]),
  'a length past the end': envelope([hex('0a ff ff ff ff 0f')]),
  'metadata twice': envelope([metadata, oneMore]),
  'metadata twice, the second time without a name': envelope([metadata, bytes(1, text(1, ''))]),
  'a map without a value': envelope([metadata, bytes(2, text(1, 'k'))]),
  'a map without a key': envelope([metadata, bytes(2, text(2, 'v'))]),
  'a key twice': envelope([metadata, entry(2, 'k', text(2, '1')), entry(2, 'k', text(2, '2'))]),
  'a key of another form': envelope([metadata, bytes(2, integer(1, 1), text(2, 'v'))]),
  'a key that objects have': envelope([metadata, entry(2, '__proto__', text(2, 'v'))]),
  bytes: envelope([metadata, entry(3, 'k', bytes(2, hex('01 02 ff')))]),
  'empty bytes': envelope([metadata, entry(3, 'k', bytes(2))]),
  'another kind': envelope([metadata], { kind: 'Pod' }),
  'another version': envelope([metadata], { apiVersion: 'v2' }),
  'another group': envelope([metadata], { apiVersion: 'apps/v1', kind: 'Deployment' }),
  'a kind of an older version': envelope([metadata], { apiVersion: 'apps/v1beta1', kind: 'Deployment' }),
  'a list': envelope([metadata], { kind: 'ConfigMapList' }),
  'a status': envelope([], { kind: 'Status' }),
  'no kind': envelope([metadata], { kind: '' }),
  'no version': envelope([metadata], { apiVersion: '' }),
  'no type': envelope([metadata], { apiVersion: '', kind: '' }),
  'a version that is none': envelope([metadata], { apiVersion: 'a/b/c' }),
};

const revision: Type = { apiVersion: 'apps/v1', kind: 'ControllerRevision' };

function revisionOf(...raw: readonly Uint8Array[]): Buffer {
  return envelope([metadata, ...raw, integer(3, 1)], revision);
}

function dataOf(json: string): Buffer {
  return revisionOf(bytes(2, text(1, json)));
}

/** Free-form JSON in ControllerRevisions. Not invalid JSON: the reference crashes on it. */
const revisions: { readonly [name: string]: Buffer } = {
  'an object': dataOf('{"b":1, "a":"<x>"}'),
  'duplicates and numbers': dataOf('{"a":1,"a":2,"n":12345678901234567890,"f":1.0,"e":1e3,"2":0,"1":0}'),
  'a list': dataOf('[1,2]'),
  null: dataOf('null'),
  'a scalar': dataOf('"x"'),
  'no JSON': revisionOf(bytes(2)),
  'no data': revisionOf(),
};

const secretOf = (...raw: readonly Uint8Array[]): Buffer => envelope([metadata, ...raw], { kind: 'Secret' });
const budget: Type = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' };
const budgetOf = (value: Uint8Array): Buffer => envelope([metadata, bytes(2, bytes(1, value))], budget);
const lease: Type = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
const leaseOf = (...spec: readonly Uint8Array[]): Buffer => envelope([metadata, bytes(2, ...spec)], lease);
const deployment: Type = { apiVersion: 'apps/v1', kind: 'Deployment' };

const other: { readonly [path in Path]?: { readonly [name: string]: Buffer } } = {
  revision: revisions,
  secret: { 'data and text': secretOf(entry(2, 'a', bytes(2, hex('00 ff'))), entry(4, 'b', text(2, 'x'))) },
  budget: {
    'an integer': budgetOf(Buffer.concat([integer(1, 0), integer(2, 5), text(3, '')])),
    'a text': budgetOf(Buffer.concat([integer(1, 1), integer(2, 5), text(3, '50%')])),
    neither: budgetOf(Buffer.alloc(0)),
    'an integer past 32 bits': budgetOf(hex('10 ff ff ff ff 1f')),
  },
  lease: {
    'times with microseconds': leaseOf(bytes(4, integer(1, 1_700_000_000), integer(2, 123_456_789))),
    'an empty time': leaseOf(bytes(4)),
    'a time before 1970': leaseOf(bytes(4, integer(1, -5), integer(2, 1000))),
    'numbers of 32 bits': leaseOf(integer(2, 2 ** 33 + 7), integer(5, -1)),
  },
  deployment: { 'a number that is wrapped': envelope([metadata, bytes(2, integer(1, 2 ** 33 - 1))], deployment) },
};

function casesOf(path: Path, named: { readonly [name: string]: Buffer }): BodyCase[] {
  return Object.entries(named).map(([name, body]) => ({
    name: `${path} protobuf: ${name}`,
    path: paths[path],
    bytes: body,
    contentType: protobufType,
  }));
}

/** Media type parameters have no effect. */
const parameters = [`${protobufType};stream=watch`, `${protobufType}; charset=utf-8`].map((contentType) => ({
  name: `configmap ${contentType}`,
  path: paths.configmap,
  bytes: envelope([metadata]),
  contentType,
}));

export const protobufBodies: readonly BodyCase[] = [
  ...casesOf('configmap', bodies),
  ...Object.entries(other).flatMap(([path, named]) => casesOf(path as Path, named)), // Path keys
  ...parameters,
];
