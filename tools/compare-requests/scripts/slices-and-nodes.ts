import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put } from '../steps.ts';

const space = 'slices-and-nodes';
const slices = `/apis/discovery.k8s.io/v1/namespaces/${space}/endpointslices`;
const nodes = '/apis/storage.k8s.io/v1/csinodes';

const slice = (name: string, endpoints: unknown, more: object = {}): object => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name },
  addressType: 'IPv4',
  endpoints,
  ...more,
});

const endpoint = { addresses: ['10.1.2.3'] };
const zoned = { ...endpoint, deprecatedTopology: { 'topology.kubernetes.io/zone': 'a' } };
const hosted = { ...endpoint, deprecatedTopology: { 'kubernetes.io/hostname': 'n' } };
const endpointLists: { readonly [name: string]: unknown } = {
  plain: [endpoint],
  zoned: [zoned],
  hosted: [hosted],
  'hosted on a node': [{ ...hosted, nodeName: 'm' }],
  'an empty topology': [{ ...endpoint, deprecatedTopology: {} }],
  'a null topology': [{ ...endpoint, deprecatedTopology: null }],
  two: [zoned, { addresses: ['10.1.2.4'], deprecatedTopology: { a: 'b' } }],
  none: [],
  null: null,
};

function sliceSteps(endpoints: unknown, name: string): readonly Step[] {
  const one = `s-${name.replaceAll(' ', '-')}`;
  const path = `${slices}/${one}`;
  const plain = slice(one, [endpoint]);
  return [
    post(`slice ${name}: create`, slices, slice(one, endpoints)),
    put(`slice ${name}: plain`, path, plain),
    put(`slice ${name}: put`, path, slice(one, endpoints)),
    put(`slice ${name}: put again`, path, slice(one, endpoints)),
    put(`slice ${name}: plain again`, path, plain),
    patch(`slice ${name}: merge`, 'merge', path, { endpoints }),
    patch(`slice ${name}: strategic`, 'strategic', path, { endpoints }),
    put(`slice ${name}: ports`, path, slice(one, endpoints, { ports: [] })),
    put(`slice ${name}: port`, path, slice(one, endpoints, { ports: [{ port: 1 }] })),
    patch(`slice ${name}: labels`, 'merge', path, { metadata: { labels: { a: 'b' } } }),
    patch(`slice ${name}: no label`, 'merge', path, { metadata: { labels: { a: null } } }),
    patch(`slice ${name}: annotations`, 'merge', path, { metadata: { annotations: { a: 'b' } } }),
    get(`slice ${name}: get`, path),
  ];
}

const health = [{ name: 'd.example.com', healthConditions: [{ status: 'StorageDegraded', reason: 'A' }] }];
const node = (more: object = {}): object => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSINode',
  metadata: { name: 'n' },
  spec: { drivers: [] },
  ...more,
});

/** Reports: generations that rise without a change, and fields of gates that are off. */
export const slicesAndNodes = script(
  'slices-and-nodes',
  inNamespace(space),
  forEach(endpointLists, sliceSteps),
  post('node with health', nodes, node({ status: { storageHealth: health } })),
  patch('health', 'merge', `${nodes}/n/status`, { status: { storageHealth: health } }),
  patch('bad health', 'merge', `${nodes}/n/status`, { status: { storageHealth: [{ name: '' }] } }),
  patch('health and a label', 'strategic', `${nodes}/n/status`, {
    metadata: { labels: { a: 'b' } },
    status: { storageHealth: health },
  }),
  apply('apply health', `${nodes}/n/status`, node({ status: { storageHealth: health } })),
  get('node', `${nodes}/n`),
  get('status of the node', `${nodes}/n/status`),
);
