import type { JsonObject } from '../../../../src/api/json/json.ts';
import { ago, day, hour, minute, type SampleBody, samplesOf } from '../sample.ts';

interface PodShape {
  readonly containers?: number;
  /** `i` for an init container, `s` for a sidecar. */
  readonly init?: string;
  readonly spec?: JsonObject;
}

function pod(status: JsonObject | undefined, { containers = 1, init = '', spec }: PodShape = {}): SampleBody {
  const named = (prefix: string, count: number): JsonObject[] =>
    Array.from({ length: count }, (_, index) => ({ name: `${prefix}${index}`, image: 'registry/app:v1' }));
  const initContainers = named('i', init.length).map((container, index) => ({
    ...container,
    ...(init[index] === 's' && { restartPolicy: 'Always' }),
  }));
  return {
    body: { spec: { containers: named('c', containers), ...(init !== '' && { initContainers }), ...spec } },
    ...(status && { status }),
  };
}

/** A container status; `name` is the container's. */
function container(name: string, state: JsonObject, more: JsonObject = {}): JsonObject {
  return { name, image: 'registry/app:v1', imageID: '', restartCount: 0, ready: false, state, ...more };
}

const running = { running: { startedAt: ago(minute) } };
const up = { ready: true, started: true };
const ready = { type: 'Ready', status: 'True' };
const notReady = { type: 'Ready', status: 'False' };
const initialized = { type: 'Initialized', status: 'True' };
const onNode = { spec: { nodeName: 'node-1' } };

function waiting(reason: string): JsonObject {
  return { waiting: reason === '' ? {} : { reason } };
}

function ended(exitCode: number, more: JsonObject = {}): JsonObject {
  return { terminated: { exitCode, startedAt: ago(hour), finishedAt: ago(minute), ...more } };
}

/** A container with `count` restarts, the last one `seconds` ago. */
function restarted(count: number, seconds: number, more: JsonObject = {}): JsonObject {
  return { restartCount: count, lastState: ended(1, { reason: 'Error', finishedAt: ago(seconds) }), ...more };
}

function phase(name: string, containerStatuses: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return { phase: name, containerStatuses: [...containerStatuses], ...more };
}

function initPhase(statuses: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return { phase: 'Pending', initContainerStatuses: [...statuses], ...more };
}

const simplePods: readonly SampleBody[] = [
  pod(undefined),
  pod({ conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] }),
  pod(undefined, { spec: { schedulingGates: [{ name: 'example.com/gate' }] } }),
  pod({ reason: 'Late', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] }),
  pod({ nominatedNodeName: 'node-7' }),
  pod(phase('Pending', [container('c0', waiting('ContainerCreating'))]), onNode),
  pod(phase('Pending', [container('c0', waiting('PodInitializing'))]), onNode),
  pod(phase('Pending', [container('c0', waiting(''))]), onNode),
  pod(phase('Running', [container('c0', running, up)], { conditions: [ready], podIP: '10.1.0.4' }), onNode),
  pod(phase('Running', [container('c0', running)], { conditions: [notReady], podIPs: [{ ip: 'fd00::4' }] }), onNode),
  pod(
    phase('Running', [container('c0', running, up)], {
      hostIP: '10.0.0.1',
      podIPs: [{ ip: '10.1.0.5' }, { ip: 'fd00::5' }],
    }),
    onNode,
  ),
  pod({ phase: 'Unknown' }, onNode),
  pod({ phase: 'Failed', reason: 'Evicted', message: 'The node was low on memory.' }, onNode),
  pod({ phase: 'Failed', reason: 'NodeAffinity' }, onNode),
  pod({ phase: 'Failed', reason: 'DeadlineExceeded' }, onNode),
  pod({ phase: 'Succeeded' }, onNode),
];

const stoppedPods: readonly SampleBody[] = [
  pod(phase('Running', [container('c0', waiting('CrashLoopBackOff'), restarted(7, 5 * minute))]), onNode),
  pod(phase('Pending', [container('c0', waiting('ImagePullBackOff')), container('c1', running, up)]), {
    containers: 2,
  }),
  pod(phase('Pending', [container('c0', running, up), container('c1', waiting('ErrImagePull'))]), { containers: 2 }),
  pod(phase('Pending', [container('c0', waiting('A')), container('c1', waiting('B'))]), { containers: 2 }),
  pod(phase('Succeeded', [container('c0', ended(0, { reason: 'Completed' }))])),
  pod(phase('Failed', [container('c0', ended(1, { reason: 'Error' }))])),
  pod(phase('Failed', [container('c0', ended(137, { reason: 'OOMKilled', signal: 9 }))])),
  pod(phase('Failed', [container('c0', ended(3))])),
  pod(phase('Failed', [container('c0', ended(137, { signal: 9 }))])),
  pod(phase('Failed', [container('c0', ended(137, { reason: 'ContainerStatusUnknown' }))], { reason: 'NodeLost' })),
  pod(
    phase('Running', [container('c0', ended(0, { reason: 'Completed' })), container('c1', running, up)], {
      conditions: [ready],
    }),
    { containers: 2 },
  ),
  pod(
    phase('Running', [container('c0', ended(0, { reason: 'Completed' })), container('c1', running, up)], {
      conditions: [notReady],
    }),
    { containers: 2 },
  ),
  pod(
    phase('Running', [container('c0', ended(0, { reason: 'Completed' })), container('c1', ended(2))], {
      conditions: [notReady],
    }),
    { containers: 2 },
  ),
  pod(
    phase('Running', [
      container('c0', ended(0, { reason: 'Completed' })),
      container('c1', ended(2, { reason: 'Error' })),
      container('c2', ended(4, { reason: 'OOMKilled' })),
      container('c3', running, up),
    ]),
    { containers: 4 },
  ),
  pod(phase('Running', [container('c0', running, up), container('c1', running), container('c2', waiting('X'))]), {
    containers: 3,
  }),
  pod(phase('Running', [container('c0', {}, up)])),
];

const initPods: readonly SampleBody[] = [
  pod(initPhase([container('i0', waiting('PodInitializing')), container('i1', waiting('PodInitializing'))]), {
    init: 'ii',
  }),
  pod(initPhase([container('i0', ended(0)), container('i1', running)]), { init: 'ii' }),
  pod(initPhase([container('i0', ended(0)), container('i1', {})]), { init: 'iii' }),
  pod(initPhase([container('i0', waiting('CrashLoopBackOff'), restarted(3, 12 * minute))]), { init: 'i' }),
  pod(initPhase([container('i0', waiting('ImagePullBackOff'))]), { init: 'ii' }),
  pod(initPhase([container('i0', ended(1, { reason: 'Error' }), restarted(1, 2 * minute))]), { init: 'i' }),
  pod(initPhase([container('i0', ended(2))]), { init: 'i' }),
  pod(initPhase([container('i0', ended(143, { signal: 15 }))]), { init: 'i' }),
  pod(
    phase('Running', [container('c0', running, { ...up, ...restarted(2, 3 * hour) })], {
      initContainerStatuses: [container('i0', ended(0), restarted(5, hour))],
      conditions: [ready, initialized],
    }),
    { init: 'i' },
  ),
  pod(
    phase('Running', [container('c0', waiting('Broken'))], {
      initContainerStatuses: [container('i0', ended(1), restarted(5, hour))],
      conditions: [initialized],
    }),
    { init: 'i' },
  ),
  pod(
    initPhase([container('i0', ended(1), restarted(4, hour))], {
      conditions: [{ type: 'Initialized', status: 'False' }],
      containerStatuses: [container('c0', waiting('PodInitializing'))],
    }),
    { init: 'ii' },
  ),
];

const sidecarPods: readonly SampleBody[] = [
  pod(phase('Running', [container('c0', running, up)], { initContainerStatuses: [container('i0', running, up)] }), {
    init: 's',
  }),
  pod(
    phase('Running', [container('c0', running, up)], {
      initContainerStatuses: [container('i0', running, { started: true })],
    }),
    { init: 's' },
  ),
  pod(initPhase([container('i0', running, { started: false })]), { init: 's' }),
  pod(initPhase([container('i0', running, up), container('i1', running)]), { init: 'si' }),
  pod(
    phase('Running', [container('c0', running, { ...up, ...restarted(1, 2 * day) })], {
      initContainerStatuses: [
        container('i0', ended(0), restarted(9, minute)),
        container('i1', running, { ...up, ...restarted(2, 5 * hour) }),
      ],
    }),
    { init: 'is' },
  ),
  pod(initPhase([container('i0', waiting('CrashLoopBackOff'), restarted(6, 90))]), { init: 's' }),
  pod(
    phase('Running', [container('c0', running, { ...up, ...restarted(1, 2 * day) })], {
      initContainerStatuses: [container('i0', waiting('CrashLoopBackOff'), restarted(6, 7 * minute + 30))],
      conditions: [initialized],
    }),
    { init: 's' },
  ),
  pod(
    phase('Succeeded', [container('c0', ended(0, { reason: 'Completed' }))], {
      initContainerStatuses: [container('i0', ended(0, { reason: 'Completed' }), { started: false })],
    }),
    { init: 's' },
  ),
];

const deletedPods: readonly SampleBody[] = [
  pod(phase('Running', [container('c0', running, up)]), onNode),
  pod({ phase: 'Running', reason: 'NodeLost' }, onNode),
  pod(phase('Succeeded', [container('c0', ended(0, { reason: 'Completed' }))])),
  pod(phase('Failed', [container('c0', ended(1, { reason: 'Error' }))])),
  pod(initPhase([container('i0', running)]), { init: 'i', ...onNode }),
].map((sample) => ({ ...sample, deleted: true }));

const gates = { readinessGates: [{ conditionType: 'example.com/a' }, { conditionType: 'example.com/b' }] };

const otherPods: readonly SampleBody[] = [
  ...[-hour, 45, 8 * minute + 20, 50 * minute, 5 * hour, 30 * hour, 3 * day + 4 * hour, 40 * day, 800 * day].map(
    (seconds) => pod(phase('Running', [container('c0', running, { ...up, ...restarted(4, seconds) })])),
  ),
  pod(phase('Running', [container('c0', running, { ...up, restartCount: 4 })])),
  pod(
    phase('Running', [
      container('c0', running, { ...up, restartCount: 4, lastState: { terminated: { exitCode: 1 } } }),
    ]),
  ),
  pod(phase('Running', [container('c0', running, { ...up, restartCount: 0, lastState: ended(1) })])),
  pod({ conditions: [{ type: 'example.com/a', status: 'True' }] }, { spec: gates }),
  pod(
    {
      conditions: [
        { type: 'example.com/b', status: 'False' },
        { type: 'example.com/a', status: 'False' },
      ],
    },
    { spec: gates },
  ),
];

export const podSamples = samplesOf('v1/pods', [
  ...simplePods,
  ...stoppedPods,
  ...initPods,
  ...sidecarPods,
  ...deletedPods,
  ...otherPods,
]);
