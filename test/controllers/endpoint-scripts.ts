import type { Script, Step } from './script.ts';

const core = '/api/v1';
const inSpace = (space: string, rest: string): string => `${core}/namespaces/${space}/${rest}`;
const post = (path: string, body: unknown): Step => ({ method: 'POST', path, body });
const patch = (path: string, body: unknown): Step => ({ method: 'PATCH', path, body });
const remove = (path: string): Step => ({ method: 'DELETE', path });
const slicesOf = (space: string): string => `/apis/discovery.k8s.io/v1/namespaces/${space}/endpointslices`;

interface PodFacts {
  readonly name: string;
  readonly node: string;
  readonly ips: readonly string[];
  readonly ready?: boolean;
  readonly labels?: object;
  readonly port?: number;
  readonly spec?: object;
}

const readyTime = '2026-01-01T00:00:00Z';

/** A pod as its kubelet reports it. */
function pod(
  space: string,
  { name, node, ips, ready = true, labels = { app: 'a' }, port = 8080, spec = {} }: PodFacts,
): readonly Step[] {
  const containers = [{ name: 'c', image: 'i', ports: [{ name: 'web', containerPort: port }] }];
  return [
    post(inSpace(space, 'pods'), { metadata: { name, labels }, spec: { nodeName: node, containers, ...spec } }),
    patch(inSpace(space, `pods/${name}/status`), {
      status: {
        phase: 'Running',
        podIP: ips[0],
        podIPs: ips.map((ip) => ({ ip })),
        conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: readyTime }],
      },
    }),
  ];
}

function node(name: string, zone?: string, cpu?: string): readonly Step[] {
  const labels = zone === undefined ? {} : { 'topology.kubernetes.io/zone': zone };
  return [
    post(`${core}/nodes`, { metadata: { name, labels } }),
    patch(`${core}/nodes/${name}/status`, {
      status: {
        conditions: [{ type: 'Ready', status: 'True' }],
        ...(cpu === undefined ? {} : { allocatable: { cpu }, capacity: { cpu } }),
      },
    }),
  ];
}

function service(space: string, name: string, spec: object, metadata: object = {}): Step {
  const ports = [{ port: 80, targetPort: 'web' }];
  return post(inSpace(space, 'services'), {
    metadata: { name, ...metadata },
    spec: { selector: { app: 'a' }, ports, ...spec },
  });
}

const readsOf = (space: string): readonly string[] => [slicesOf(space), inSpace(space, 'endpoints')];
const space = (name: string): Step => post(`${core}/namespaces`, { metadata: { name } });

/** The first makes the nodes of the others. */
export const endpointScripts: readonly Script[] = [
  {
    name: 'services without pods',
    steps: [
      ...node('e1', 'zone-a', '4'),
      ...node('e2', 'zone-b', '4'),
      ...node('e3'),
      space('empty'),
      service('empty', 'plain', {}),
      service('empty', 'headless', { clusterIP: 'None' }, { labels: { team: 'x' } }),
      service('empty', 'named', { type: 'ExternalName', externalName: 'example.org', clusterIP: '' }),
      post(inSpace('empty', 'services'), { metadata: { name: 'manual' }, spec: { ports: [{ port: 80 }] } }),
    ],
    reads: readsOf('empty'),
  },
  {
    name: 'pods of all sorts',
    steps: [
      space('sorts'),
      ...pod('sorts', { name: 'ready', node: 'e1', ips: ['10.9.0.1', 'fd00::1'] }),
      ...pod('sorts', { name: 'unready', node: 'e2', ips: ['10.9.0.2'], ready: false }),
      ...pod('sorts', { name: 'nozone', node: 'e3', ips: ['10.9.0.3'] }),
      ...pod('sorts', { name: 'nowhere', node: 'gone', ips: ['10.9.0.4'] }),
      ...pod('sorts', { name: 'stranger', node: 'e1', ips: ['10.9.0.5'], labels: { app: 'b' } }),
      ...pod('sorts', {
        name: 'named',
        node: 'e1',
        ips: ['10.9.0.6'],
        spec: { hostname: 'me', subdomain: 'headless' },
      }),
      ...pod('sorts', { name: 'ended', node: 'e1', ips: ['10.9.0.7'] }),
      patch(inSpace('sorts', 'pods/ended/status'), { status: { phase: 'Failed' } }),
      ...pod('sorts', { name: 'other-port', node: 'e2', ips: ['10.9.0.8'], port: 9090 }),
      service('sorts', 'plain', {}, { labels: { team: 'x' }, annotations: { note: 'y' } }),
      service('sorts', 'headless', { clusterIP: 'None' }),
      service('sorts', 'bare', { clusterIP: 'None', ports: [] }),
      service('sorts', 'eager', { publishNotReadyAddresses: true }),
      service('sorts', 'ports', {
        ports: [
          { name: 'a', port: 80, targetPort: 'web' },
          { name: 'b', port: 81, targetPort: 9000, appProtocol: 'kubernetes.io/h2c' },
          { name: 'c', port: 82, targetPort: 'missing' },
          { name: 'd', port: 83, protocol: 'UDP' },
        ],
      }),
    ],
    reads: readsOf('sorts'),
  },
  {
    name: 'changes',
    steps: [
      space('changes'),
      service('changes', 'plain', {}),
      ...pod('changes', { name: 'p1', node: 'e1', ips: ['10.8.0.1'] }),
      ...pod('changes', { name: 'p2', node: 'e2', ips: ['10.8.0.2'] }),
      ...pod('changes', { name: 'p3', node: 'e2', ips: ['10.8.0.3'] }),
      { pauseMs: 1000 },
      patch(inSpace('changes', 'pods/p1/status'), {
        status: { conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: '2026-01-02T00:00:00Z' }] },
      }),
      patch(inSpace('changes', 'pods/p2'), { metadata: { finalizers: ['example.org/stay'] } }),
      remove(inSpace('changes', 'pods/p2?gracePeriodSeconds=0')),
      patch(inSpace('changes', 'pods/p3'), { metadata: { labels: { app: 'other' } } }),
      ...pod('changes', { name: 'p4', node: 'e1', ips: ['10.8.0.4'] }),
      patch(inSpace('changes', 'services/plain'), { metadata: { labels: { added: 'later' } } }),
    ],
    reads: readsOf('changes'),
  },
  {
    name: 'a service that goes',
    steps: [
      space('goes'),
      service('goes', 'plain', {}),
      ...pod('goes', { name: 'p1', node: 'e1', ips: ['10.7.0.1'] }),
      { pauseMs: 1000 },
      remove(inSpace('goes', 'services/plain')),
    ],
    reads: [inSpace('goes', 'endpoints')],
  },
  {
    name: 'close traffic',
    steps: [
      space('close'),
      ...pod('close', { name: 'p1', node: 'e1', ips: ['10.6.0.1'] }),
      ...pod('close', { name: 'p2', node: 'e2', ips: ['10.6.0.2'] }),
      ...pod('close', { name: 'p3', node: 'e3', ips: ['10.6.0.3'] }),
      ...pod('close', { name: 'p4', node: 'e1', ips: ['10.6.0.4'], ready: false }),
      service('close', 'zone', { trafficDistribution: 'PreferClose' }),
      service('close', 'node', { trafficDistribution: 'PreferSameNode' }),
      service('close', 'later', {}),
      { pauseMs: 1000 },
      patch(inSpace('close', 'services/later'), { spec: { trafficDistribution: 'PreferSameZone' } }),
    ],
    reads: [slicesOf('close')],
  },
  {
    name: 'many pods',
    steps: [
      space('many'),
      service('many', 'plain', {}),
      ...Array.from({ length: 130 }, (_, i) =>
        pod('many', { name: `p${i}`, node: 'e1', ips: [`10.5.0.${i + 1}`] }),
      ).flat(),
    ],
    reads: [inSpace('many', 'endpoints')],
  },
];
