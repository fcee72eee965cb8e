import type { JsonObject, JsonValue } from '../../src/api/json/json.ts';
import { patchTypes, type Step } from '../../test/recorded/differential/scenario.ts';
import type { Random } from '../random-objects/repeatable-random.ts';
import { type Fields, mapOf, oneOf, someOf, upTo } from './odd.ts';
import { ephemeralContainer, randomPod, toleration } from './random-pod.ts';

/** Makes a request of a namespace; steps are named by the caller. */
export type Ask = (random: Random, space: string, name: string) => Omit<Step, 'name'>;

const core = (space: string, rest: string): string => `/api/v1/namespaces/${space}/${rest}`;
const merge = (path: string, body: unknown): Omit<Step, 'name'> => ({
  method: 'PATCH',
  path,
  body,
  contentType: patchTypes.merge,
});

/** Most requests are the administrator's. */
export function asSomebody(random: Random): Pick<Step, 'headers'> {
  if (random.chance(0.75)) return {};
  const user = random.pick(['writer', 'owner', 'deleter', 'nobody']) ?? '';
  return { headers: { 'impersonate-user': user, ...(random.chance(0.8) ? { 'impersonate-group': 'fuzzers' } : {}) } };
}

function dryRun(random: Random): string {
  return random.chance(0.25) ? '?dryRun=All' : '';
}

const createPod: Ask = (random, space, name) => ({
  method: 'POST',
  path: core(space, `pods${dryRun(random)}`),
  body: randomPod(random, name),
  ...asSomebody(random),
});

/** One of the pods that may have been made. */
function somePod(random: Random, space: string): string {
  return core(space, `pods/p${random.chance(0.5) ? 0 : random.below(4)}`);
}

const patchPod: Ask = (random, space) => {
  const fields: Fields = {
    metadata: [
      0.5,
      (from) =>
        someOf(from, {
          labels: [0.5, mapOf(['a', 'b'], oneOf('x', ''))],
          finalizers: [0.3, oneOf([], ['example.com/f'])],
          ownerReferences: [0.5, owners],
        }),
    ],
    spec: [
      0.8,
      (from) =>
        someOf(from, {
          tolerations: [0.5, upTo(3, toleration)],
          activeDeadlineSeconds: [0.2, oneOf(1, 30)],
          containers: [
            0.4,
            oneOf([{ name: 'c0', image: 'denied' }], [{ name: 'c0', image: 'j:v1', imagePullPolicy: 'Never' }]),
          ],
          terminationGracePeriodSeconds: [0.1, oneOf(1, 30)],
          priorityClassName: [0.1, oneOf('high', 'low')],
        }),
    ],
  };
  const body = someOf(random, fields);
  const step = merge(somePod(random, space) + dryRun(random), body);
  return { ...step, ...(random.chance(0.7) ? { contentType: patchTypes.strategic } : {}), ...asSomebody(random) };
};

const subresource: Ask = (random, space) => {
  const pod = somePod(random, space);
  const dry = dryRun(random);
  const choices: readonly (() => Omit<Step, 'name'>)[] = [
    () => ({
      method: 'POST',
      path: `${pod}/binding${dry}`,
      body: { target: { name: random.pick(['zoned', 'plain']) ?? '' } },
    }),
    () => ({ method: 'POST', path: `${pod}/eviction${dry}`, body: { metadata: { name: pod.slice(-2) } } }),
    () => merge(`${pod}/status${dry}`, { status: { phase: 'Running', qosClass: 'BestEffort' } }),
    () => merge(`${pod}/resize${dry}`, { spec: { containers: [resized(random)] } }),
    () => ({
      ...merge(`${pod}/ephemeralcontainers${dry}`, {
        spec: { ephemeralContainers: [ephemeralContainer(random, 'e1')] },
      }),
      contentType: patchTypes.strategic,
    }),
    () => ({ method: 'DELETE', path: `${pod}${dry}`, body: { gracePeriodSeconds: 0 } }),
  ];
  return { ...(random.pick(choices) ?? patchNothing)(), ...asSomebody(random) };

  function patchNothing(): Omit<Step, 'name'> {
    return merge(pod, {});
  }
};

function resized(random: Random): JsonObject {
  const amounts = mapOf(['cpu', 'memory'], oneOf('1', '2', '100m', '1Gi'), 0.6);
  return { name: 'c0', resources: someOf(random, { requests: [0.8, amounts], limits: [0.6, amounts] }) };
}

const owners = upTo(2, (random, index) => ({
  uid: `u${index}`,
  name: random.pick(['o', 'p']) ?? '',
  ...random.pick<JsonObject>([
    { apiVersion: 'v1', kind: 'ConfigMap' },
    { apiVersion: 'apps/v1', kind: 'Deployment' },
    { apiVersion: 'v1', kind: 'Node' },
    { apiVersion: 'absent.example.com/v1', kind: 'Thing' },
    { apiVersion: 'apps/v9', kind: 'Deployment' },
    { apiVersion: 'a/b/c', kind: 'Thing' },
  ]),
  ...someOf(random, { blockOwnerDeletion: [0.7, oneOf(true, true, false)], controller: [0.3, oneOf(true, false)] }),
}));

const writeOwned: Ask = (random, space) => {
  const name = random.pick(['o', 'p']) ?? '';
  const body = { metadata: { name, ...someOf(random, { ownerReferences: [0.9, owners] }) }, data: { a: 'b' } };
  if (random.chance(0.5)) return { method: 'POST', path: core(space, 'configmaps'), body, ...asSomebody(random) };
  return { ...merge(core(space, `configmaps/${name}${dryRun(random)}`), body), ...asSomebody(random) };
};

const writeService: Ask = (random, space) => {
  const name = random.pick(['s', 't']) ?? '';
  const spec = someOf(random, {
    ports: [0.9, () => [{ port: 80 }]],
    type: [0.4, oneOf('ClusterIP', 'ExternalName', 'NodePort', 'LoadBalancer', '')],
    externalName: [0.2, oneOf('example.com', '')],
    externalIPs: [0.6, upTo(2, oneOf('1.2.3.4', '1.2.3.5', ''))],
  });
  const body = { metadata: { name }, spec };
  if (random.chance(0.5)) return { method: 'POST', path: core(space, `services${dryRun(random)}`), body };
  return merge(core(space, `services/${name}${random.chance(0.1) ? '/status' : ''}`), body);
};

const writeClaim: Ask = (random, space) => {
  const name = random.pick(['c', 'd']) ?? '';
  const spec = someOf(random, {
    accessModes: [0.95, oneOf(['ReadWriteOnce'], ['ReadOnlyMany'], [])],
    storageClassName: [0.5, oneOf('gold', 'growing', 'absent', '')],
    volumeAttributesClassName: [0.2, oneOf('fast', 'absent', '')],
    resources: [
      0.95,
      (from) => someOf(from, { requests: [0.95, mapOf(['storage'], oneOf('1Gi', '2Gi', '5Gi', '0'), 0.95)] }),
    ],
    dataSourceRef: [0.1, oneOf({ kind: 'PersistentVolumeClaim', name: 'x' })],
  });
  const path = core(space, 'persistentvolumeclaims');
  const choice = random.below(10);
  if (choice < 5) return { method: 'POST', path: path + dryRun(random), body: { metadata: { name }, spec } };
  if (choice < 6) return merge(`${path}/${name}/status`, { status: { phase: 'Bound', capacity: { storage: '1Gi' } } });
  const grown: JsonObject = { resources: spec['resources'] ?? {} };
  return merge(`${path}/${name}`, { spec: random.chance(0.6) ? grown : spec });
};

const writeIngress: Ask = (random, space, name) => ({
  method: 'POST',
  path: `/apis/networking.k8s.io/v1/namespaces/${space}/ingresses${dryRun(random)}`,
  body: {
    metadata: { name, annotations: random.chance(0.2) ? { 'kubernetes.io/ingress.class': 'x' } : {} },
    spec: someOf(random, {
      ingressClassName: [0.4, oneOf('first', 'absent', '')],
      defaultBackend: [0.95, oneOf({ service: { name: 's', port: { number: 80 } } })],
    }),
  },
});

const writeEvent: Ask = (random, space, name) => ({
  method: 'POST',
  path: core(space, `events${dryRun(random)}`),
  body: {
    metadata: { name: random.chance(0.7) ? name : 'same' },
    involvedObject: {
      namespace: space,
      ...someOf(random, { name: [0.8, oneOf('o', 'p', '')], kind: [0.5, oneOf('Pod')] }),
    },
    ...someOf(random, {
      source: [0.5, (from) => someOf(from, { component: [0.8, oneOf('k', '')], host: [0.3, oneOf('h')] })],
    }),
  },
});

/** In a namespace that is not there, or that is called like a member of every object. */
const elsewhere: Ask = (random, space, name) => {
  const where = random.pick([`${space}-absent`, 'constructor', 'Bad_Name', 'kube-system']) ?? '';
  const choices: readonly Omit<Step, 'name'>[] = [
    {
      method: 'POST',
      path: core(where, `configmaps${dryRun(random)}`),
      body: { metadata: { name: `${space}-${name}` } },
    },
    { method: 'POST', path: core(where, 'serviceaccounts/default/token'), body: { spec: {} } },
    { method: 'POST', path: core(where, 'pods?dryRun=All'), body: randomPod(random, name) },
    merge(core(where, 'configmaps/absent'), { data: { a: 'b' } }),
    { method: 'DELETE', path: core(where, 'configmaps/absent') },
    { method: 'PUT', path: core(where, `configmaps/${space}?dryRun=All`), body: { metadata: { name: space } } },
    {
      method: 'PATCH',
      path: core(where, `configmaps/${space}?fieldManager=m&dryRun=All`),
      contentType: 'application/apply-patch+yaml',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: space } },
    },
    {
      method: 'POST',
      path: `/apis/authorization.k8s.io/v1/namespaces/${where}/localsubjectaccessreviews`,
      body: {
        metadata: { namespace: where },
        spec: { user: 'u', resourceAttributes: { namespace: where, verb: 'get', resource: 'pods' } },
      },
    },
    { method: 'DELETE', path: `/api/v1/namespaces/${where === 'constructor' ? 'kube-public' : where}?dryRun=All` },
  ];
  return random.pick(choices) ?? { method: 'GET', path: '/version' };
};

const writeClass: Ask = (random, space) => ({
  method: 'POST',
  path: `/apis/scheduling.k8s.io/v1/priorityclasses${dryRun(random)}`,
  body: {
    metadata: { name: random.pick([space, 'system-x', 'high']) ?? '' },
    ...someOf(random, {
      value: [0.9, oneOf(5, 1_000_000_001, -7)],
      globalDefault: [0.3, oneOf(false)],
      preemptionPolicy: [0.3, oneOf('Never', 'Bogus')],
    }),
  },
});

type Weighted = readonly [weight: number, ask: Ask];

/** Kinds of requests with their weights; the first makes pods. */
export const asks: readonly [Weighted, ...Weighted[]] = [
  [40, createPod],
  [14, patchPod],
  [16, subresource],
  [6, writeOwned],
  [5, writeService],
  [6, writeClaim],
  [2, writeIngress],
  [4, writeEvent],
  [5, elsewhere],
  [2, writeClass],
];

const security = 'pod-security.kubernetes.io/';
const scheduler = 'scheduler.alpha.kubernetes.io/';

/** A namespace with annotations and labels that plugins read. */
export function randomNamespace(random: Random, name: string): JsonObject {
  const tolerations = (from: Random): JsonValue => {
    const list = upTo(2, toleration)(from);
    return from.pick([JSON.stringify(list), JSON.stringify(list), '', '[]', 'null', '{', '"x"', '[{"key":1}]']) ?? '';
  };
  const level = oneOf('privileged', 'baseline', 'restricted', '', 'bogus');
  return {
    metadata: {
      name,
      annotations: someOf(random, {
        [`${scheduler}node-selector`]: [
          0.3,
          oneOf('env=dev', 'disk=ssd,zone=a', '', 'a', '-a=b', 'a=b c', ' pool = x ,'),
        ],
        [`${scheduler}defaultTolerations`]: [0.3, tolerations],
        [`${scheduler}tolerationsWhitelist`]: [0.3, tolerations],
      }),
      labels: someOf(random, {
        [`${security}enforce`]: [0.25, level],
        [`${security}warn`]: [0.2, level],
        [`${security}audit`]: [0.1, level],
        [`${security}enforce-version`]: [0.1, oneOf('latest', 'v1.20', 'v1.99', 'bogus')],
      }),
    },
  };
}

const bounds = mapOf(['cpu', 'memory', 'storage', 'example.com/gpu'], oneOf('1', '2', '100m', '1Gi', '0'), 0.35);

export function randomLimitRange(random: Random): JsonObject {
  const limits = Array.from({ length: 1 + random.below(2) }, () => ({
    type: random.pick(['Container', 'Container', 'Pod', 'PersistentVolumeClaim', 'example.com/x']) ?? '',
    // More than one of a kind is told in random order by the reference.
    ...someOf(random, {
      max: [0.5, bounds],
      min: [0.3, bounds],
      default: [0.3, bounds],
      defaultRequest: [0.3, bounds],
      maxLimitRequestRatio: [0.2, mapOf(['cpu', 'memory'], oneOf('1', '2', '1500m'))],
    }),
  }));
  return { metadata: { name: 'limits' }, spec: { limits } };
}
