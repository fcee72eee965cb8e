import { configMap, deployment, instance, places, secret, service } from '../objects.ts';
import { define } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { forEach, get, inNamespace, patch, put, remove } from '../steps.ts';

const space = 'put-creates';
const custom = {
  group: 'put-creates.example.com',
  plural: 'parcels',
  kind: 'Parcel',
  properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
} as const;

const kinds: {
  readonly [name: string]: { readonly collection: string; readonly of: (name: string, metadata: object) => object };
} = {
  lease: {
    collection: `/apis/coordination.k8s.io/v1/namespaces/${space}/leases`,
    of: (name, metadata) => ({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name, ...metadata },
      spec: { holderIdentity: 'x' },
    }),
  },
  'config map': { collection: places.configMaps(space), of: (name, metadata) => configMap(name, { a: '1' }, metadata) },
  secret: { collection: places.secrets(space), of: (name, metadata) => secret(name, {}, metadata) },
  service: {
    collection: places.services(space),
    of: (name, metadata) => service(name, { ports: [{ port: 80 }] }, metadata),
  },
  deployment: { collection: places.deployments(space), of: (name, metadata) => deployment(name, {}, metadata) },
  parcel: {
    collection: places.custom(custom.group, custom.plural, space),
    of: (name, metadata) => instance(custom, name, { spec: { a: 1 } }, metadata),
  },
  event: {
    collection: `/api/v1/namespaces/${space}/events`,
    of: (name, metadata) => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, ...metadata },
      involvedObject: { namespace: space, kind: 'Pod', name: 'p' },
    }),
  },
  endpoints: {
    collection: `/api/v1/namespaces/${space}/endpoints`,
    of: (name, metadata) => ({ apiVersion: 'v1', kind: 'Endpoints', metadata: { name, ...metadata } }),
  },
  'limit range': {
    collection: `/api/v1/namespaces/${space}/limitranges`,
    of: (name, metadata) => ({
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name, ...metadata },
      spec: { limits: [] },
    }),
  },
};

const metadata: { readonly [name: string]: object } = {
  plain: {},
  'a version': { resourceVersion: '5' },
  'version zero': { resourceVersion: '0' },
  'an empty version': { resourceVersion: '' },
  'a version that is none': { resourceVersion: 'abc' },
  'a uid': { uid: '00000000-0000-4000-8000-000000000000' },
  'an empty uid': { uid: '' },
  'a generate name': { generateName: 'gen-x-' },
  'another name': { name: 'zz' },
  'no name': { name: undefined },
  'another namespace': { namespace: 'default' },
  'a deletion time': { deletionTimestamp: '2020-01-01T00:00:00Z' },
  'a creation time': { creationTimestamp: '2020-01-01T00:00:00Z' },
  'a generation': { generation: 7 },
};

function storyOf(
  { collection, of }: { readonly collection: string; readonly of: (name: string, metadata: object) => object },
  subject: string,
): readonly Step[] {
  return [
    ...forEach(metadata, (more, how) => {
      const name = how.replaceAll(' ', '-');
      return [put(`${subject}: put ${how}`, `${collection}/${name}`, of(name, more))];
    }),
    put(`${subject}: a dry run`, `${collection}/dry?dryRun=All`, of('dry', {})),
    get(`${subject}: is not there`, `${collection}/dry`),
    put(`${subject}: a bad name`, `${collection}/Bad_Name`, of('Bad_Name', {})),
    put(`${subject}: into no namespace`, `${collection.replace(space, 'nowhere')}/a`, of('a', {})),
    patch(`${subject}: merge patch of none`, 'merge', `${collection}/nothing`, { metadata: { labels: { a: 'b' } } }),
    remove(`${subject}: delete of none`, `${collection}/nothing`),
  ];
}

/** Reports: PUT of an object that does not exist; some kinds create it. */
export const putCreates = script('put-creates', inNamespace(space), define(custom), forEach(kinds, storyOf));
