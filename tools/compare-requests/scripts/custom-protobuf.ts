import { configMap, deployment, instance, places } from '../objects.ts';
import { define } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import {
  forEach,
  get,
  inNamespace,
  metadataListType,
  metadataType,
  patch,
  post,
  protobufType,
  put,
  remove,
  tableType,
} from '../steps.ts';

const space = 'protobufs';
const custom = {
  group: 'protobufs.example.com',
  plural: 'packs',
  kind: 'Pack',
  properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  version: {
    subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
  },
} as const;
const packs = places.custom(custom.group, custom.plural, space);
const pack = instance(custom, 'a', { spec: { replicas: 1 } });

const accepts: { readonly [name: string]: string } = {
  protobuf: protobufType,
  'protobuf, else JSON': `${protobufType},application/json`,
  'JSON, else protobuf': `application/json,${protobufType}`,
  'protobuf of a weight': `${protobufType};q=0.9,application/json;q=0.1`,
  'a stream': `${protobufType};stream=watch`,
  CBOR: 'application/cbor',
  'CBOR, else JSON': 'application/cbor,application/json',
  anything: '*/*',
  'any application': 'application/*',
  text: 'text/plain',
  HTML: 'text/html,application/xhtml+xml,*/*;q=0.8',
  nothing: '',
  'a broken type': 'application',
  'an unknown parameter': 'application/json;foo=bar',
  'pretty JSON': 'application/json;pretty=1',
  'metadata in protobuf': `${protobufType};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`,
  'a list of metadata in protobuf': `${protobufType};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1`,
  'a table in protobuf': `${protobufType};as=Table;g=meta.k8s.io;v=v1`,
  metadata: metadataType,
  'a list of metadata': metadataListType,
  table: tableType,
};
const places_: { readonly [name: string]: string } = {
  one: `${packs}/a`,
  all: packs,
  status: `${packs}/a/status`,
  none: `${packs}/zz`,
  'a watch': `${packs}?watch=true&timeoutSeconds=1`,
  'a config map': `${places.configMaps(space)}/a`,
  'config maps': `${places.configMaps(space)}?labelSelector=nope`,
  discovery: `/apis/${custom.group}/v1`,
};

const contentTypes: readonly string[] = [
  protobufType,
  'application/cbor',
  'application/xml',
  'text/json',
  'application/json; charset=utf-8',
  'application/json;x',
  '',
  'application/x-www-form-urlencoded',
];

/** The reference crashes at protobuf for custom resources. */
function bodies(path: string, body: object, name: string): readonly Step[] {
  const types = name === 'pack' ? contentTypes.slice(1) : contentTypes;
  return types.flatMap((contentType) => [
    post(`${name}: post as ${contentType}`, `${path}?dryRun=All`, body, { contentType }),
    put(`${name}: put as ${contentType}`, `${path}/a?dryRun=All`, body, { contentType }),
    remove(
      `${name}: delete as ${contentType}`,
      `${path}/zz?dryRun=All`,
      { propagationPolicy: 'Orphan' },
      { contentType },
    ),
  ]);
}

/** Reports: clients that ask for protobuf, as typed ones do by default, and get custom resources. */
export const customProtobuf = script(
  'custom-protobuf',
  inNamespace(space),
  define(custom),
  post('a pack', packs, pack),
  post('a config map', places.configMaps(space), configMap('a')),
  forEach(places_, (path, where) =>
    forEach(accepts, (accept, how) =>
      where === 'a watch' && accept.includes('protobuf') ? [] : get(`${where} as ${how}`, path, { accept }),
    ),
  ),
  forEach(accepts, (accept, how) => post(`posted as ${how}`, `${packs}?dryRun=All`, instance(custom, 'b'), { accept })),
  forEach(accepts, (accept, how) => remove(`deleted as ${how}`, `${packs}/a?dryRun=All`, undefined, { accept })),
  bodies(packs, pack, 'pack'),
  bodies(places.configMaps(space), configMap('a'), 'config map'),
  forEach({ 'config map': configMap('p'), deployment: deployment('p') }, (body, name) => {
    const collection = name === 'deployment' ? places.deployments(space) : places.configMaps(space);
    return [
      post(`${name}: in protobuf`, collection, body, { form: 'protobuf', accept: protobufType }),
      put(`${name}: again in protobuf`, `${collection}/p`, body, { form: 'protobuf' }),
      put(`${name}: in YAML`, `${collection}/p`, body, { form: 'yaml', accept: 'application/yaml' }),
      patch(
        `${name}: patched for protobuf`,
        'merge',
        `${collection}/p`,
        { metadata: { labels: { a: 'b' } } },
        { accept: protobufType },
      ),
      post(`${name}: to packs in JSON`, packs, body),
    ];
  }),
  post('bytes that are no protobuf', places.configMaps(space), 'k8s\u0000x', { contentType: protobufType }),
  post('no bytes', places.configMaps(space), '', { contentType: protobufType }),
);
