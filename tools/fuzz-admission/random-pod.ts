import type { JsonObject, JsonValue } from '../../src/api/json/json.ts';
import type { Random } from '../random-objects/repeatable-random.ts';
import { type Fields, mapOf, oneOf, someOf, upTo } from './odd.ts';

const quantity = oneOf('1', '100m', '0', '1Gi', '64Mi', '1500m', '2', '1e3', '0.5', '10k', 3);
const resourceNames = ['cpu', 'memory', 'example.com/gpu', 'example.com/fpga', 'hugepages-2Mi', 'ephemeral-storage'];
const amounts = mapOf(resourceNames, quantity, 0.3);
const resources = (random: Random): JsonValue => someOf(random, { requests: [0.7, amounts], limits: [0.6, amounts] });

export const toleration = (random: Random): JsonObject =>
  someOf(random, {
    key: [0.85, oneOf('a', 'b', '', 'example.com/gpu', 'node.kubernetes.io/memory-pressure', 'by-default', 'allowed')],
    operator: [0.8, oneOf('Exists', 'Equal', '', 'Exists', 'Exists', 'Equal', 'Lt', 'Bogus')],
    value: [0.3, oneOf('a', 'x', '', '7')],
    effect: [0.7, oneOf('NoSchedule', 'NoExecute', 'NoExecute', 'PreferNoSchedule', '', 'NoSchedule', 'Bogus')],
    tolerationSeconds: [0.25, oneOf(0, 30, 60, 300, -1)],
  });

const nodeLabels = mapOf(['pool', 'disk', 'zone', 'env'], oneOf('default', 'ssd', 'a', 'dev', ''), 0.3);

const image = oneOf('i', 'i', 'i', 'j:v1', 'j:v1', 'allowed', 'allowed', 'denied', 'denied', '', ' i');
const pullPolicy = oneOf('Always', 'IfNotPresent', 'Never', 'Always', 'IfNotPresent', '', 'Bogus');

const containerFields: Fields = {
  image: [0.98, image],
  imagePullPolicy: [0.3, pullPolicy],
  resources: [0.6, resources],
  volumeMounts: [0.1, () => [{ name: 'v', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }]],
  env: [
    0.1,
    oneOf(
      [{ name: 'E', valueFrom: { secretKeyRef: { name: 'listed', key: 'k' } } }],
      [{ name: 'E', valueFrom: { secretKeyRef: { name: 'unlisted', key: 'k', optional: true } } }],
      [{ name: 'E', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } }],
    ),
  ],
  envFrom: [0.05, oneOf([{ secretRef: { name: 'unlisted' } }], [{ secretRef: { name: 'listed' } }], [{}])],
  securityContext: [
    0.25,
    (from) =>
      someOf(from, {
        privileged: [0.3, oneOf(true, false)],
        allowPrivilegeEscalation: [0.5, oneOf(true, false)],
        runAsNonRoot: [0.5, oneOf(true, false)],
        runAsUser: [0.3, oneOf(0, 1000)],
        procMount: [0.1, oneOf('Default', 'Unmasked')],
        seccompProfile: [0.4, oneOf({ type: 'RuntimeDefault' }, { type: 'Unconfined' })],
        capabilities: [
          0.5,
          oneOf({ drop: ['ALL'] }, { add: ['SYS_ADMIN'], drop: ['ALL'] }, { add: ['NET_BIND_SERVICE'] }),
        ],
        seLinuxOptions: [0.1, oneOf({ type: 'container_t' }, { user: 'u' }, { type: 'x' })],
        appArmorProfile: [0.1, oneOf({ type: 'RuntimeDefault' }, { type: 'Unconfined' })],
      }),
  ],
  ports: [
    0.1,
    oneOf([{ containerPort: 80, hostPort: 80 }], [{ containerPort: 80 }], [{ containerPort: 80, hostPort: 0 }]),
  ],
};

function container(random: Random, name: string, more: Fields = {}): JsonObject {
  return { name, ...someOf(random, { ...containerFields, ...more }) };
}

export function ephemeralContainer(random: Random, name: string): JsonObject {
  const given = container(random, name);
  if (random.chance(0.85)) for (const not of ['resources', 'ports', 'env', 'volumeMounts']) delete given[not];
  return given;
}

const volumes = upTo(2, (random, index) => {
  const source = random.pick<JsonObject>([
    { emptyDir: {} },
    { hostPath: { path: '/' } },
    { image: { reference: 'r', pullPolicy: 'IfNotPresent' } },
    { image: { reference: 'r' } },
    { secret: { secretName: 'listed' } },
    { secret: { secretName: 'unlisted' } },
    { projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } },
    { projected: { sources: [{ secret: { name: 'unlisted' } }] } },
    { persistentVolumeClaim: { claimName: 'c' } },
    { flexVolume: { driver: 'd/d' } },
    { nfs: { server: 's', path: '/' } },
  ]);
  return { name: `v${index}`, ...source };
});

const term = (random: Random): JsonValue => ({
  labelSelector: { matchLabels: { a: 'b' } },
  ...someOf(random, { topologyKey: [0.95, oneOf('kubernetes.io/hostname', 'kubernetes.io/hostname', 'zone', '')] }),
});

const affinity = (random: Random): JsonValue =>
  someOf(random, {
    podAntiAffinity: [
      0.85,
      (from) =>
        someOf(from, {
          requiredDuringSchedulingIgnoredDuringExecution: [0.85, upTo(2, term)],
          preferredDuringSchedulingIgnoredDuringExecution: [
            0.2,
            (other) => [{ weight: 1, podAffinityTerm: term(other) }],
          ],
        }),
    ],
    podAffinity: [0.2, (from) => ({ requiredDuringSchedulingIgnoredDuringExecution: [term(from)] })],
    nodeAffinity: [0.1, () => ({})],
  });

const specFields: Fields = {
  initContainers: [
    0.25,
    upTo(2, (random, index) => container(random, `init-${index}`, { restartPolicy: [0.4, oneOf('Always')] })),
  ],
  ephemeralContainers: [0.03, (random) => [ephemeralContainer(random, 'e')]],
  tolerations: [0.5, upTo(3, toleration)],
  nodeSelector: [0.4, nodeLabels],
  affinity: [0.3, affinity],
  resources: [0.15, (random) => someOf(random, { requests: [0.7, amounts], limits: [0.6, amounts] })],
  volumes: [0.3, volumes],
  overhead: [0.1, mapOf(['cpu', 'memory'], oneOf('10m', '1Mi'))],
  runtimeClassName: [0.2, oneOf('plain', 'heavy', 'picky', 'absent', '', 'a/b', '..', 'a%b')],
  priorityClassName: [0.25, oneOf('high', 'low', 'never', 'absent', 'system-node-critical', '')],
  priority: [0.1, oneOf(0, 7, 1000, 2_000_001_000)],
  preemptionPolicy: [0.1, oneOf('Never', 'PreemptLowerPriority', 'Bogus')],
  serviceAccountName: [0.2, oneOf('robot', 'picky', 'absent', '', 'default', 'a/b', '.')],
  serviceAccount: [0.05, oneOf('robot', 'absent', '')],
  automountServiceAccountToken: [0.15, oneOf(true, false)],
  imagePullSecrets: [0.1, oneOf([], [{ name: 'listed' }], [{ name: 'unlisted' }], [{}])],
  hostNetwork: [0.08, oneOf(true, false)],
  hostPID: [0.05, oneOf(true, false)],
  nodeName: [0.08, oneOf('somewhere', '', 'zoned')],
  terminationGracePeriodSeconds: [0.1, oneOf(0, 30, 60)],
  activeDeadlineSeconds: [0.15, oneOf(0, 1, 60)],
  restartPolicy: [0.1, oneOf('Always', 'Never', 'OnFailure', '')],
  topologySpreadConstraints: [
    0.1,
    oneOf([{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} }], []),
  ],
  os: [0.1, oneOf({ name: 'linux' }, { name: 'windows' })],
  securityContext: [
    0.2,
    (random) =>
      someOf(random, {
        runAsNonRoot: [0.5, oneOf(true, false)],
        runAsUser: [0.3, oneOf(0, 1000)],
        seccompProfile: [0.5, oneOf({ type: 'RuntimeDefault' }, { type: 'Unconfined' })],
        sysctls: [0.2, oneOf([{ name: 'kernel.shm_rmid_forced', value: '1' }], [{ name: 'kernel.x', value: '1' }])],
        hostProcess: [0, oneOf(true)],
      }),
  ],
};

const metadataFields: Fields = {
  labels: [0.4, mapOf(['a', 'pool', 'pulled', 'topology.kubernetes.io/zone'], oneOf('x', 'never', ''))],
  annotations: [0.15, mapOf(['kubernetes.io/config.mirror', 'x'], oneOf('y', ''), 0.3)],
  ownerReferences: [
    0.1,
    oneOf(
      [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'o', uid: 'u', blockOwnerDeletion: true, controller: true }],
      [{ apiVersion: 'v1', kind: 'Node', name: 'somewhere', uid: 'u', controller: true }],
      [],
    ),
  ],
  finalizers: [0.1, oneOf([], ['example.com/f'])],
};

/** A pod whose every field that a plugin reads may be there, empty, null or wrong. */
export function randomPod(random: Random, name: string): JsonObject {
  const names = random.chance(0.1) ? { generateName: 'gen-' } : { name };
  const containers = Array.from({ length: 1 + random.below(2) }, (_, index) => container(random, `c${index}`));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...names, ...someOf(random, metadataFields) },
    spec: { containers, ...someOf(random, thin(random)) },
    ...(random.chance(0.1) ? { status: { qosClass: random.pick(['BestEffort', 'Guaranteed', '']) ?? '' } } : {}),
  };
}

/** Most pods set few fields, so that not all of them are refused. */
function thin(random: Random): Fields {
  const share = random.pick([0.15, 0.3, 0.8]) ?? 1;
  const entries = Object.entries(specFields);
  return Object.fromEntries(entries.map(([name, [chance, make]]) => [name, [chance * share, make] as const]));
}
