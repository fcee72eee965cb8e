import type { JsonObject } from '../../src/api/json/json.ts';
import { oneOf, someOf } from '../fuzz-admission/odd.ts';
import type { Random } from '../random-objects/repeatable-random.ts';
import { type Deeds, inSpace, makeSpace, patch, post, remove, type Step, type Subject } from './subject.ts';

const claims = ['c0', 'c1'];

function randomPod(random: Random, name: string): JsonObject {
  const volume = random.pick<JsonObject>([
    { persistentVolumeClaim: { claimName: random.pick(claims) ?? '' } },
    {
      ephemeral: {
        volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      },
    },
    { emptyDir: {} },
  ]);
  return {
    metadata: { name, ...someOf(random, { finalizers: [0.2, oneOf(['example.com/f'])] }) },
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      volumes: [{ name: 'v', ...volume }],
      ...someOf(random, { nodeName: [0.6, oneOf('o1', 'gone')] }),
    },
  };
}

function deeds(random: Random, space: string): Deeds {
  const claim = (name: string): Step =>
    post(inSpace(space, 'persistentvolumeclaims'), {
      metadata: {
        name,
        ...someOf(random, { finalizers: [0.2, oneOf(['example.com/f'], ['kubernetes.io/pvc-protection'])] }),
      },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
  const change = (): Step => {
    const name = random.pick(claims) ?? '';
    const at = inSpace(space, `persistentvolumeclaims/${name}`);
    const pod = inSpace(space, `pods/p${random.below(2)}`);
    const choices: readonly (() => Step)[] = [
      () => remove(at),
      () => remove(at),
      () => patch(`${at}/status`, { status: { phase: random.pick(['Bound', 'Lost', 'Pending']) ?? '' } }),
      () => patch(at, { metadata: { finalizers: null } }),
      () => claim(name),
      () => remove(`${pod}?gracePeriodSeconds=0`),
      () => patch(`${pod}/status`, { status: { phase: random.pick(['Succeeded', 'Failed', 'Running']) ?? '' } }),
      () => patch(pod, { metadata: { finalizers: null } }),
      () => post(inSpace(space, 'pods'), randomPod(random, `p${random.below(2)}`)),
      () => remove(inSpace(space, 'pods')),
    ];
    return (random.pick(choices) ?? (() => remove(at)))();
  };
  const pods = ['p0', 'p1']
    .filter(() => random.chance(0.7))
    .map((name) => post(inSpace(space, 'pods'), randomPod(random, name)));
  const all = claims.filter(() => random.chance(0.85)).map(claim);
  const steps: Step[] = [
    makeSpace(space),
    ...(random.chance(0.7) ? [...all, ...pods] : [...pods, ...all]),
    { pauseMs: 1500 },
  ];
  for (let changes = random.below(6); changes > 0; changes -= 1) {
    steps.push(change());
    if (random.chance(0.5)) steps.push({ pauseMs: 1000 });
  }
  return { steps, reads: [inSpace(space, 'persistentvolumeclaims'), inSpace(space, 'pods')] };
}

/** Claims and the pods that use them. */
export const objects: Subject = {
  name: 'objects',
  setUp: [post('/api/v1/nodes', { metadata: { name: 'o1' } })],
  deeds,
};
