import type { JsonObject, JsonValue } from '../../src/api/json/json.ts';
import { oneOf, someOf, upTo } from '../fuzz-admission/odd.ts';
import type { Random } from '../random-objects/repeatable-random.ts';
import { type Deeds, inSpace, makeSpace, patch, post, remove, type Step, type Subject } from './subject.ts';

const readyTime = '2026-01-01T00:00:00Z';
const zones: readonly (readonly [name: string, zone: string | undefined, cpu: string])[] = [
  ['e1', 'zone-a', '4'],
  ['e2', 'zone-b', '4'],
  ['e3', 'zone-c', '2'],
  ['e4', undefined, '1'],
];

function makeNode(name: string, zone: string | undefined, cpu: string): readonly Step[] {
  const labels = zone === undefined ? {} : { 'topology.kubernetes.io/zone': zone };
  return [
    post('/api/v1/nodes', { metadata: { name, labels } }),
    patch(`/api/v1/nodes/${name}/status`, {
      status: { conditions: [{ type: 'Ready', status: 'True' }], allocatable: { cpu }, capacity: { cpu } },
    }),
  ];
}

const containerPorts = upTo(3, (random, index) => ({
  containerPort: 8080 + index,
  ...someOf(random, {
    name: [0.8, oneOf(['web', 'admin', 'dns'][index] ?? '')],
    protocol: [0.3, oneOf('UDP', 'SCTP')],
  }),
}));

const servicePorts = upTo(3, (random, index) => ({
  name: `p${index}`,
  port: 80 + index,
  ...someOf(random, {
    targetPort: [0.8, oneOf('web', 'admin', 'dns', 'missing', 9000, 8080)],
    protocol: [0.3, oneOf('UDP', 'SCTP')],
    appProtocol: [0.2, oneOf('http', 'kubernetes.io/h2c')],
  }),
}));

const labels = oneOf({ app: 'a' }, { app: 'a' }, { app: 'a', tier: 'x' }, { app: 'b' }, {});

function randomService(random: Random, name: string): JsonObject {
  const isHeadless = random.chance(0.35);
  return {
    metadata: {
      name,
      ...someOf(random, {
        labels: [0.3, oneOf({ team: 'x' }, { 'kubernetes.io/service-name': 'z' })],
        annotations: [
          0.4,
          oneOf(
            { note: 'y' },
            { 'service.kubernetes.io/topology-mode': 'Auto' },
            { 'service.kubernetes.io/topology-aware-hints': 'auto' },
            { 'endpoints.kubernetes.io/last-change-trigger-time': 'never' },
          ),
        ],
      }),
    },
    spec: {
      ...(random.chance(0.9)
        ? { selector: random.pick<JsonObject>([{ app: 'a' }, { app: 'a' }, { tier: 'x' }, {}]) ?? {} }
        : {}),
      ...(isHeadless ? { clusterIP: 'None' } : {}),
      ports: isHeadless && random.chance(0.4) ? [] : servicePorts(random),
      ...someOf(random, {
        publishNotReadyAddresses: [0.25, oneOf(true, false)],
        ipFamilyPolicy: [0.4, oneOf('PreferDualStack', 'RequireDualStack', 'SingleStack')],
        ipFamilies: [0.2, oneOf(['IPv6'], ['IPv4'], ['IPv6', 'IPv4'])],
        trafficDistribution: [0.25, oneOf('PreferClose', 'PreferSameZone', 'PreferSameNode')],
        type: [0.15, oneOf('NodePort', 'LoadBalancer')],
        internalTrafficPolicy: [0.1, oneOf('Local', 'Cluster')],
      }),
    },
  };
}

interface Made {
  readonly name: string;
  readonly steps: readonly Step[];
}

function makePod(random: Random, space: string, index: number): Made {
  const name = `p${index}`;
  const spec = {
    nodeName: random.pick(['e1', 'e2', 'e3', 'e4', 'e1', 'e2', 'gone']) ?? '',
    containers: [
      { name: 'c', image: 'i', ports: containerPorts(random) },
      ...(random.chance(0.2) ? [{ name: 'd', image: 'i', ports: [{ name: 'dns', containerPort: 53 }] }] : []),
    ],
    ...someOf(random, {
      initContainers: [
        0.15,
        oneOf(
          [{ name: 'i', image: 'i', restartPolicy: 'Always', ports: [{ name: 'admin', containerPort: 7070 }] }],
          [{ name: 'i', image: 'i', ports: [{ name: 'web', containerPort: 7071 }] }],
        ),
      ],
      hostname: [0.2, oneOf('me', 'you')],
      subdomain: [0.25, oneOf('s0', 's1', 'other')],
      setHostnameAsFQDN: [0.05, oneOf(true)],
    }),
  };
  const metadata = {
    name,
    ...someOf(random, { labels: [0.97, labels], finalizers: [0.25, oneOf(['example.com/stay'])] }),
  };
  return { name, steps: [post(inSpace(space, 'pods'), { metadata, spec }), report(random, space, index)] };
}

/** What the kubelet of a pod tells. */
function report(random: Random, space: string, index: number): Step {
  const v4 = `10.9.0.${index + 1}`;
  const v6 = `fd00::${index + 1}`;
  const ips = random.pick([[v4], [v4, v6], [v6, v4], [v6], [v4], []]) ?? [];
  const [podIP] = ips;
  const condition = (type: string, status: JsonValue): JsonObject => ({ type, status, lastTransitionTime: readyTime });
  return patch(inSpace(space, `pods/p${index}/status`), {
    status: {
      phase: random.pick(['Running', 'Running', 'Running', 'Pending', 'Failed', 'Succeeded']) ?? '',
      ...(podIP === undefined ? {} : { podIP, podIPs: ips.map((ip) => ({ ip })) }),
      conditions: random.chance(0.85)
        ? [condition('Ready', random.pick(['True', 'True', 'False', 'Unknown']) ?? '')]
        : [],
    },
  });
}

function change(random: Random, space: string, pods: number, services: number): Step {
  const index = random.below(pods);
  const pod = inSpace(space, `pods/p${index}`);
  const service = inSpace(space, `services/s${random.below(services)}`);
  const choices: readonly (() => Step)[] = [
    () => report(random, space, index),
    () => patch(pod, { metadata: { labels: { app: random.pick(['a', 'b', null]) ?? null } } }),
    () => remove(`${pod}?gracePeriodSeconds=0`),
    () => remove(`${pod}?gracePeriodSeconds=100`),
    () => patch(service, { spec: { publishNotReadyAddresses: random.chance(0.5) } }),
    () =>
      patch(service, {
        spec: { selector: random.pick<JsonValue>([{ app: 'b', tier: null }, null, { app: 'a', tier: null }]) ?? null },
      }),
    () => patch(service, { metadata: { labels: { added: 'later', team: null } } }),
    () =>
      patch(service, {
        spec: { ports: [{ name: 'p0', port: 80, targetPort: random.pick(['web', 'dns', 'admin']) ?? '' }] },
      }),
    () => patch(service, { spec: { trafficDistribution: random.pick(['PreferClose', null]) ?? null } }),
    () => patch(service, { spec: { ipFamilyPolicy: 'PreferDualStack' } }),
    () =>
      patch(service, {
        spec: { type: 'ExternalName', externalName: 'example.com', clusterIP: null, clusterIPs: null },
      }),
    () => remove(service),
    () => post(inSpace(space, 'services'), randomService(random, `s${random.below(services)}`)),
  ];
  return (random.pick(choices) ?? (() => remove(pod)))();
}

function deeds(random: Random, space: string): Deeds {
  const pods = 1 + random.below(6);
  const services = 1 + random.below(3);
  const steps: Step[] = [makeSpace(space)];
  const makeServices = Array.from({ length: services }, (_, index) =>
    post(inSpace(space, 'services'), randomService(random, `s${index}`)),
  );
  const makePods = Array.from({ length: pods }, (_, index) => makePod(random, space, index).steps).flat();
  // Pods and services are followed by two watches: without pauses a sync may know the later change alone.
  const pause: Step = { pauseMs: 500 };
  steps.push(...(random.chance(0.5) ? [...makeServices, ...makePods] : [...makePods, pause, ...makeServices]));
  steps.push({ pauseMs: 2000 });
  for (let changes = random.below(5); changes > 0; changes -= 1) {
    steps.push(change(random, space, pods, services));
    steps.push(random.chance(0.4) ? { pauseMs: 1500 } : pause);
  }
  return {
    steps,
    reads: [`/apis/discovery.k8s.io/v1/namespaces/${space}/endpointslices`, inSpace(space, 'endpoints')],
  };
}

/** Services and pods in any order, and what becomes of them. */
export const endpoints: Subject = {
  name: 'endpoints',
  setUp: zones.flatMap(([name, zone, cpu]) => makeNode(name, zone, cpu)),
  deeds,
};
