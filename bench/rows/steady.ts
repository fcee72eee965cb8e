import { inOrder } from '../alternation.ts';
import { alternating, repeated } from '../against.ts';
import type { RequestJob } from '../load.ts';
import type { Session } from '../session.ts';
import { cpuFigure, type Figure, type Row } from './row.ts';

/** As many as there are values of `{shard}`. */
const nodes = 100;
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const warmUp = 2000;
const count = 4000;
/** What components of a cluster accept. */
const accept = 'application/vnd.kubernetes.protobuf,application/json';
const one = { names: 1, concurrency: 4, accept } as const;

interface SteadyCase {
  readonly what: string;
  readonly job: Omit<RequestJob, 'kind' | 'from' | 'count'>;
}

/** What a large cluster does when nothing happens in it. */
const cases: readonly SteadyCase[] = [
  {
    what: 'lease of a node renewed',
    job: {
      ...one,
      follows: true,
      method: 'PUT',
      path: `${leases}/steady-{shard}`,
      body: JSON.stringify({
        metadata: { name: 'steady-{shard}', namespace: 'kube-node-lease', resourceVersion: '{version}' },
        spec: {
          holderIdentity: 'steady-{shard}',
          leaseDurationSeconds: 40,
          renewTime: '2026-11-29T12:00:00.{micros}Z',
        },
      }),
    },
  },
  {
    what: 'heartbeat of a node',
    job: {
      ...one,
      method: 'PATCH',
      path: '/api/v1/nodes/steady-{shard}/status',
      contentType: 'application/strategic-merge-patch+json',
      body: JSON.stringify({ status: { conditions: conditions('beat {number}') } }),
    },
  },
  {
    what: 'event created',
    job: { ...one, method: 'POST', path: '/api/v1/namespaces/default/events', body: JSON.stringify(event()) },
  },
];

export const steadyRow: Row = {
  name: 'steady',
  async onFreshServer(session): Promise<readonly Figure[]> {
    await session.namespaceExists();
    await makeNodes(session);
    const figures: Figure[] = [];
    for (const { what, job } of cases) {
      await session.requests({ ...job, from: 0, count: warmUp });
      figures.push(cpuFigure(what, await session.requests({ ...job, from: warmUp, count })));
    }
    return figures;
  },
  async against(both) {
    const { one: there, other: here } = await both.sessions();
    for (const session of [there, here]) await makeNodes(session);
    const compare = ({ what, job }: SteadyCase): ReturnType<NonNullable<Row['against']>> =>
      alternating(what, async (session) => repeated(session, job))(both);
    return (await inOrder(cases, compare)).flat();
  },
};

async function makeNodes(session: Session): Promise<void> {
  const body = JSON.stringify(node());
  await session.requests({ method: 'POST', path: '/api/v1/nodes', body, from: 0, count: nodes, ...one });
}

function conditions(message: string): readonly object[] {
  const [lastHeartbeatTime, lastTransitionTime] = ['2026-11-29T12:00:00Z', '2026-11-29T11:00:00Z'];
  const times = { lastHeartbeatTime, lastTransitionTime };
  return [
    ...['MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => ({
      type,
      status: 'False',
      reason: `KubeletHasSufficient${type}`,
      message: 'kubelet has sufficient',
      ...times,
    })),
    { type: 'Ready', status: 'True', reason: 'KubeletReady', message, ...times },
  ];
}

/** As a kubelet registers it. */
function node(): object {
  const capacity = { cpu: '64', memory: '256Gi', 'ephemeral-storage': '1Ti', pods: '110' };
  const images = Array.from({ length: 20 }, (_, index) => ({
    names: [`registry.example.com/image-${index}@sha256:${'ab'.repeat(32)}`, `registry.example.com/image-${index}:1.0`],
    sizeBytes: 100_000_000 + index,
  }));
  return {
    metadata: {
      name: 'steady-{shard}',
      labels: { 'kubernetes.io/hostname': 'steady-{shard}', 'kubernetes.io/os': 'linux' },
    },
    spec: { podCIDR: '10.1.{shard}.0/24', podCIDRs: ['10.1.{shard}.0/24'] },
    status: {
      capacity,
      allocatable: capacity,
      images,
      conditions: conditions('registered'),
      addresses: [
        { type: 'InternalIP', address: '10.2.0.{shard}' },
        { type: 'Hostname', address: 'steady-{shard}' },
      ],
      nodeInfo: {
        machineID: 'ab'.repeat(16),
        systemUUID: 'ab'.repeat(16),
        bootID: 'ab'.repeat(16),
        kernelVersion: '6.12.0',
        osImage: 'Debian GNU/Linux 13 (trixie)',
        operatingSystem: 'linux',
        containerRuntimeVersion: 'containerd://2.1.0',
        kubeletVersion: 'v1.37.1',
        kubeProxyVersion: '',
        architecture: 'amd64',
      },
    },
  };
}

/** An event about a pod, as the scheduler writes it. */
function event(): object {
  const [firstTimestamp, lastTimestamp] = ['2026-11-29T12:00:00Z', '2026-11-29T12:00:00Z'];
  return {
    metadata: { name: 'web-7c5ddbdf54-{number}.187d3f2a9c1b', namespace: 'default' },
    involvedObject: {
      apiVersion: 'v1',
      kind: 'Pod',
      namespace: 'default',
      name: 'web-7c5ddbdf54-{number}',
      uid: '5f0c2a3e-9a5e-4d53-8d0f-0d1b8a3c1c11',
      resourceVersion: '{number}',
    },
    reason: 'Pulled',
    message: 'Container image "registry.example.com/web:1.0.0" already present on machine',
    type: 'Normal',
    count: 1,
    firstTimestamp,
    lastTimestamp,
    source: { component: 'kubelet', host: 'steady-{shard}' },
    reportingComponent: 'kubelet',
    reportingInstance: 'steady-{shard}',
  };
}
