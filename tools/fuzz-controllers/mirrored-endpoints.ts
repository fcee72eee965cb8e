import type { JsonObject } from '../../src/api/json/json.ts';
import { oneOf, someOf, upTo } from '../fuzz-admission/odd.ts';
import type { Random } from '../random-objects/repeatable-random.ts';
import { type Deeds, inSpace, makeSpace, patch, post, remove, type Step, type Subject } from './subject.ts';

const slicesOf = (space: string): string => `/apis/discovery.k8s.io/v1/namespaces/${space}/endpointslices`;

const address = (random: Random): JsonObject => ({
  ip: random.pick(['10.4.0.1', '10.4.0.2', '10.4.0.3', 'fd00::1', 'fd00::2']) ?? '',
  ...someOf(random, {
    hostname: [0.3, oneOf('one', 'two')],
    nodeName: [0.3, oneOf('e1', 'gone')],
    targetRef: [0.3, oneOf({ kind: 'Pod', name: 'p', namespace: 'x', uid: 'u' }, { kind: 'Node', name: 'e1' })],
  }),
});

const subset = (random: Random): JsonObject =>
  someOf(random, {
    addresses: [0.85, upTo(3, address)],
    notReadyAddresses: [0.3, upTo(2, address)],
    ports: [
      0.9,
      upTo(2, (from, index) => ({
        name: `p${index}`,
        port: 80 + from.below(2),
        ...someOf(from, { protocol: [0.4, oneOf('TCP', 'UDP')], appProtocol: [0.2, oneOf('http')] }),
      })),
    ],
  });

function metadataOf(random: Random): JsonObject {
  return someOf(random, {
    labels: [
      0.4,
      oneOf(
        { team: 'x' },
        { 'endpointslice.kubernetes.io/skip-mirror': 'true' },
        { 'endpointslice.kubernetes.io/skip-mirror': 'false' },
      ),
    ],
    annotations: [
      0.4,
      oneOf(
        { note: 'y' },
        { 'control-plane.alpha.kubernetes.io/leader': '{}' },
        { 'kubectl.kubernetes.io/last-applied-configuration': 'z', note: 'y' },
        { 'endpoints.kubernetes.io/last-change-trigger-time': readyTime },
      ),
    ],
  });
}

const readyTime = '2026-01-01T00:00:00Z';

function deeds(random: Random, space: string): Deeds {
  const subsets = upTo(2, subset);
  const makeService = (name: string): Step =>
    post(inSpace(space, 'services'), {
      metadata: { name },
      spec: {
        ports: [{ port: 80 }],
        ...someOf(random, { clusterIP: [0.3, oneOf('None')] }),
      },
    });
  const makeEndpoints = (name: string): Step =>
    post(inSpace(space, 'endpoints'), { metadata: { name, ...metadataOf(random) }, subsets: subsets(random) });
  const change = (): Step => {
    const name = random.pick(['a', 'b']) ?? '';
    const at = inSpace(space, `endpoints/${name}`);
    const choices: readonly (() => Step)[] = [
      () => patch(at, { subsets: subsets(random) }),
      () => patch(at, { metadata: metadataOf(random) }),
      () => remove(at),
      () => remove(inSpace(space, `services/${name}`)),
      () => patch(inSpace(space, `services/${name}`), { spec: { selector: random.chance(0.5) ? { app: 'a' } : null } }),
      () => makeService(name),
      () => makeEndpoints(name),
      () => remove(`${slicesOf(space)}`),
    ];
    return (random.pick(choices) ?? (() => remove(at)))();
  };
  const names = ['a', 'b'].filter(() => random.chance(0.8));
  const first = names.map(random.chance(0.5) ? makeService : makeEndpoints);
  const second = names.map((name, index) =>
    first[index]?.['path' as never] === inSpace(space, 'services') ? makeEndpoints(name) : makeService(name),
  );
  const steps: Step[] = [makeSpace(space), ...first, ...second, { pauseMs: 1500 }];
  for (let changes = random.below(4); changes > 0; changes -= 1) steps.push(change(), { pauseMs: 1500 });
  return { steps, reads: [slicesOf(space), inSpace(space, 'endpoints')] };
}

/** Endpoints that are not made by controllers. */
export const mirroredEndpoints: Subject = { name: 'mirrored-endpoints', setUp: [], deeds };
