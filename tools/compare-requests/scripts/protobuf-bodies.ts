import { configMap, deployment, instance, places, secret } from '../objects.ts';
import { define } from '../definitions.ts';
import { written } from '../forms.ts';
import { script, type Step } from '../script.ts';
import {
  forEach,
  get,
  inNamespace,
  metadataType,
  patch,
  post,
  protobufType,
  put,
  remove,
  tableType,
} from '../steps.ts';

const space = 'protobuf-bodies';
const custom = {
  group: 'protobuf-bodies.example.com',
  plural: 'crates',
  kind: 'Crate',
  properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
} as const;
const crates = places.custom(custom.group, custom.plural, space);

const role = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'a' },
  rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
};
const lease = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'a' },
  spec: { holderIdentity: 'x', leaseDurationSeconds: 3, renewTime: '2001-02-03T04:05:06.000007Z' },
};
const kinds: { readonly [name: string]: readonly [path: string, body: object] } = {
  'config map': [places.configMaps(space), configMap('a')],
  secret: [places.secrets(space), secret('a', { data: { k: 'eA==' } })],
  deployment: [places.deployments(space), deployment('a')],
  role: [`/apis/rbac.authorization.k8s.io/v1/namespaces/${space}/roles`, role],
  lease: [`/apis/coordination.k8s.io/v1/namespaces/${space}/leases`, lease],
};

const bytes = (...parts: readonly (string | Uint8Array | readonly number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Uint8Array.from(part))));
const inProtobuf = (body: object): Uint8Array => Uint8Array.from(written(body, 'protobuf') as Uint8Array);

/** A field of bytes below 128 bytes. */
const field = (number: number, content: string | Uint8Array): Uint8Array => {
  const inner = bytes(content);
  return bytes([number * 8 + 2, inner.length], inner);
};
const magic = [0x6b, 0x38, 0x73, 0];
const envelope = (apiVersion: string, kind: string, raw: Uint8Array, ...more: readonly Uint8Array[]): Uint8Array =>
  bytes(magic, field(1, bytes(field(1, apiVersion), field(2, kind))), field(2, raw), ...more);
const named = (name: string): Uint8Array => field(1, field(1, name));

/** Bodies for config maps, well-formed and not. */
const bodies: { readonly [name: string]: Uint8Array } = {
  nothing: bytes(),
  'only magic': bytes(magic),
  'half of the magic': bytes(magic.slice(0, 2)),
  'other magic': bytes([0x6b, 0x38, 0x73, 1]),
  'a short one': envelope('v1', 'ConfigMap', named('b')),
  'no raw bytes': bytes(magic, field(1, bytes(field(1, 'v1'), field(2, 'ConfigMap')))),
  'no type': bytes(magic, field(2, named('b'))),
  'an empty type': envelope('', '', named('b')),
  'no version': envelope('', 'ConfigMap', named('b')),
  'no kind': envelope('v1', '', named('b')),
  'another kind': envelope('v1', 'Secret', named('b')),
  'another version': envelope('v2', 'ConfigMap', named('b')),
  'another group': envelope('apps/v1', 'ConfigMap', named('b')),
  'an odd version': envelope('a/b/c', 'ConfigMap', named('b')),
  'an unknown kind': envelope('v1', 'Nope', named('b')),
  'a list': envelope('v1', 'ConfigMapList', field(2, named('b'))),
  'an encoding': envelope('v1', 'ConfigMap', named('b'), field(3, 'gzip')),
  'a content type': envelope('v1', 'ConfigMap', named('b'), field(4, 'application/json')),
  'JSON inside': envelope('v1', 'ConfigMap', bytes('{"metadata":{"name":"b"}}'), field(4, 'application/json')),
  'an unknown field outside': envelope('v1', 'ConfigMap', named('b'), field(9, 'x')),
  'an unknown field inside': envelope('v1', 'ConfigMap', bytes(named('b'), field(9, 'x'))),
  'an unknown number inside': envelope('v1', 'ConfigMap', bytes(named('b'), [0x50, 0x01])),
  'a field twice': envelope('v1', 'ConfigMap', bytes(named('b'), named('c'))),
  'the type twice': bytes(envelope('v1', 'Secret', named('b')), field(1, field(2, 'ConfigMap'))),
  'raw bytes twice': envelope('v1', 'ConfigMap', named('b'), field(2, named('c'))),
  'a number for metadata': envelope('v1', 'ConfigMap', bytes([0x08, 0x01])),
  'a group': envelope('v1', 'ConfigMap', bytes([0x0b, 0x0c])),
  'the end of a group': envelope('v1', 'ConfigMap', bytes([0x0c])),
  'field zero': envelope('v1', 'ConfigMap', bytes([0x02, 0x00])),
  'a wire type of seven': envelope('v1', 'ConfigMap', bytes([0x0f, 0x00])),
  'a length beyond the end': envelope('v1', 'ConfigMap', bytes([0x0a, 0x7f, 0x0a])),
  'a length of ten bytes': envelope('v1', 'ConfigMap', bytes([0x0a], new Uint8Array(9).fill(0xff), [0x01])),
  'a length of eleven bytes': envelope('v1', 'ConfigMap', bytes([0x0a], new Uint8Array(11).fill(0xff))),
  'a length that is cut off': envelope('v1', 'ConfigMap', bytes([0x0a, 0xff])),
  'an entry without a key': envelope('v1', 'ConfigMap', bytes(named('b'), field(2, field(2, 'v')))),
  'an entry without a value': envelope('v1', 'ConfigMap', bytes(named('b'), field(2, field(1, 'k')))),
  'an entry of nothing': envelope('v1', 'ConfigMap', bytes(named('b'), field(2, ''))),
  'an entry twice': envelope(
    'v1',
    'ConfigMap',
    bytes(named('b'), ...['v', 'w'].map((v) => field(2, bytes(field(1, 'k'), field(2, v))))),
  ),
  'an entry with an unknown field': envelope(
    'v1',
    'ConfigMap',
    bytes(named('b'), field(2, bytes(field(1, 'k'), field(3, 'x')))),
  ),
  'a text that is no UTF-8': envelope(
    'v1',
    'ConfigMap',
    bytes(named('b'), field(2, bytes(field(1, 'k'), field(2, bytes([0xff, 0xfe]))))),
  ),
  'a name that is no UTF-8': envelope('v1', 'ConfigMap', named('\xff')),
  'a boolean of two': envelope('v1', 'ConfigMap', bytes(named('b'), [0x20, 0x02])),
  'a boolean of false': envelope('v1', 'ConfigMap', bytes(named('b'), [0x20, 0x00])),
  'a boolean in bytes': envelope('v1', 'ConfigMap', bytes(named('b'), field(4, 'x'))),
  'JSON in place of it': bytes(JSON.stringify(configMap('b'))),
  'bytes after it': bytes(envelope('v1', 'ConfigMap', named('b')), [0]),
};

const asProtobuf = { contentType: protobufType };

function bodySteps(body: Uint8Array, name: string): readonly Step[] {
  const path = places.configMaps(space);
  return [
    post(`post ${name}`, `${path}?dryRun=All`, body, asProtobuf),
    put(`put ${name}`, `${path}/b?dryRun=All`, body, asProtobuf),
    post(`post ${name}, strictly`, `${path}?dryRun=All&fieldValidation=Strict`, body, {
      ...asProtobuf,
      accept: protobufType,
    }),
  ];
}

/** A body of each kind, cut at many places. */
function cutSteps([path, body]: (typeof kinds)[string], name: string): readonly Step[] {
  const whole = inProtobuf(body);
  const cuts = Array.from({ length: 12 }, (_, at) => Math.floor((whole.length * at) / 12));
  return [
    post(`${name}`, path, whole, { ...asProtobuf, accept: protobufType }),
    ...cuts.map((length, at) =>
      put(`${name}, cut at ${at}/12`, `${path}/a?dryRun=All`, whole.subarray(0, length), asProtobuf),
    ),
    put(`${name} again`, `${path}/a`, whole, asProtobuf),
    post(`${name} as JSON`, `${path}?dryRun=All`, whole, { contentType: 'application/json' }),
    post(`${name} as YAML`, `${path}?dryRun=All`, whole, { contentType: 'application/yaml' }),
    post(`${name} as CBOR`, `${path}?dryRun=All`, whole, { contentType: 'application/cbor' }),
    post(`${name} with a parameter`, `${path}?dryRun=All`, whole, { contentType: `${protobufType};type=x` }),
    post(`${name} as a stream`, `${path}?dryRun=All`, whole, { contentType: `${protobufType};stream=watch` }),
    post(`${name} in capitals`, `${path}?dryRun=All`, whole, { contentType: protobufType.toUpperCase() }),
    patch(`${name} as a merge patch`, 'merge', `${path}/a?dryRun=All`, whole),
    patch(`${name} as an apply`, 'apply', `${path}/a?dryRun=All&fieldManager=p`, whole),
    patch(`${name} as a protobuf patch`, 'merge', `${path}/a?dryRun=All`, whole, asProtobuf),
    ...[protobufType, tableType, metadataType, `${protobufType};as=Table;g=meta.k8s.io;v=v1`, 'application/cbor'].map(
      (accept) => get(`${name} for ${accept}`, `${path}/a`, { accept }),
    ),
    get(`list of ${name} in protobuf`, path, { accept: protobufType }),
  ];
}

const options = (...parts: readonly Uint8Array[]): Uint8Array => envelope('v1', 'DeleteOptions', bytes(...parts));
const deletions: { readonly [name: string]: Uint8Array } = {
  nothing: bytes(),
  'no options': options(),
  'a grace period': options(Uint8Array.from([0x08, 0x05])),
  'a negative grace period': options(bytes([0x08], new Uint8Array(9).fill(0xff), [0x01])),
  'a policy': options(field(4, 'Orphan')),
  'an unknown policy': options(field(4, 'Nope')),
  'another uid': options(field(2, field(1, 'x'))),
  'a dry run': options(field(5, 'All')),
  'an unknown dry run': options(field(5, 'x')),
  'of another kind': envelope('v1', 'ConfigMap', named('b')),
  'of another group': envelope('apps/v1', 'DeleteOptions', bytes()),
  'of meta': envelope('meta.k8s.io/v1', 'DeleteOptions', bytes()),
  'cut off': options(field(4, 'Orphan')).subarray(0, 20),
};

/** Reports: clients in protobuf, with bodies that are cut off, of another kind or encoded in an unusual way. */
export const protobufBodies = script(
  space,
  inNamespace(space),
  define(custom),
  post('a crate', crates, instance(custom, 'a', { spec: {} })),
  forEach(bodies, bodySteps),
  forEach(kinds, cutSteps),
  forEach(deletions, (body, name) => [
    remove(`delete with ${name}`, `${places.configMaps(space)}/a?dryRun=All`, body, asProtobuf),
    remove(`delete all with ${name}`, `${places.configMaps(space)}?dryRun=All&labelSelector=none`, body, asProtobuf),
    remove(`delete a crate with ${name}`, `${crates}/a?dryRun=All`, body, asProtobuf),
  ]),
  forEach({ JSON: {}, YAML: { form: 'yaml' }, CBOR: { form: 'cbor' } } as const, (more, form) => [
    post(`a crate in ${form}`, `${crates}?dryRun=All`, instance(custom, 'b', { spec: { a: [1, 'x', null] } }), more),
    post(`a role in ${form}`, `${kinds['role']?.[0]}?dryRun=All`, { ...role, metadata: { name: 'b' } }, more),
  ]),
);
