import type { JsonObject } from '../../src/api/json/json.ts';
import { oneOf, someOf } from '../fuzz-admission/odd.ts';
import type { Random } from '../random-objects/repeatable-random.ts';
import { type Deeds, inSpace, makeSpace, patch, post, remove, type Step, type Subject, uidOf } from './subject.ts';

const group = 'owners.example.com';
const definition = (plural: string, kind: string, scope: string): object => ({
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    names: { plural, kind },
    scope,
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly collection: (space: string) => string;
  readonly isShared?: boolean;
  readonly more?: object;
}

const kinds: readonly Kind[] = [
  { apiVersion: 'v1', kind: 'ConfigMap', collection: (space) => inSpace(space, 'configmaps') },
  { apiVersion: 'v1', kind: 'Secret', collection: (space) => inSpace(space, 'secrets') },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    collection: (space: string) => inSpace(space, 'pods'),
    more: { spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
  { apiVersion: `${group}/v1`, kind: 'Part', collection: (space) => `/apis/${group}/v1/namespaces/${space}/parts` },
  { apiVersion: `${group}/v1`, kind: 'Plant', collection: () => `/apis/${group}/v1/plants`, isShared: true },
];

interface Made {
  readonly kind: Kind;
  readonly name: string;
  readonly path: string;
}

/** Odd references beside those to real owners. */
function reference(random: Random, made: readonly Made[]): JsonObject {
  const owner = random.pick(made);
  const flags = someOf(random, { blockOwnerDeletion: [0.5, oneOf(true, false)], controller: [0.1, oneOf(true)] });
  if (owner === undefined || random.chance(0.12)) {
    return {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: `o${random.below(7)}`,
      uid: `absent-${random.below(3)}`,
      ...flags,
    };
  }
  const { apiVersion, kind } = owner.kind;
  const real = { apiVersion, kind, name: owner.name, uid: uidOf(owner.path), ...flags };
  const choice = random.below(16);
  if (choice === 0) return { ...real, name: 'renamed' };
  if (choice === 1) return { ...real, kind: 'Secret', apiVersion: 'v1' };
  if (choice === 2) return { ...real, apiVersion: 'absent.example.com/v1', kind: 'Thing' };
  if (choice === 3) return { ...real, apiVersion: apiVersion.replace('/v1', '/v9') };
  return real;
}

function deeds(random: Random, space: string): Deeds {
  const made: Made[] = [];
  const steps: Step[] = [makeSpace(space)];
  const make = (index: number): Step => {
    const kind = random.pick(kinds);
    if (kind === undefined) throw new Error('there are kinds');
    const name = kind.isShared === true ? `${space}-o${index}` : `o${index}`;
    const ownerReferences = Array.from({ length: random.pick([0, 1, 1, 1, 2]) ?? 0 }, () => reference(random, made));
    made.push({ kind, name, path: `${kind.collection(space)}/${name}` });
    const finalizers = random.chance(0.2) ? { finalizers: ['example.com/f'] } : {};
    const { apiVersion } = kind;
    const metadata = { name, labels: { space }, ownerReferences, ...finalizers };
    return post(kind.collection(space), { apiVersion, kind: kind.kind, metadata, ...kind.more });
  };
  const count = 4 + random.below(5);
  for (let index = 0; index < count; index += 1) steps.push(make(index));
  if (random.chance(0.7)) steps.push({ pauseMs: 2500 });
  for (let changes = 1 + random.below(5); changes > 0; changes -= 1) {
    const { path } = random.pick(made) ?? { path: '' };
    const propagationPolicy = random.pick(['Background', 'Foreground', 'Foreground', 'Orphan', undefined]);
    const choices: readonly (() => Step)[] = [
      ...[0, 1, 2, 3].map(() => () => remove(path, { propagationPolicy, gracePeriodSeconds: 0 })),
      () => patch(path, { metadata: { ownerReferences: [reference(random, made)] } }),
      () => patch(path, { metadata: { ownerReferences: null } }),
      () => patch(path, { metadata: { finalizers: null } }),
      () => patch(path, { metadata: { finalizers: ['example.com/g'] } }),
      () => make(made.length),
    ];
    steps.push((random.pick(choices) ?? (() => remove(path)))());
    if (random.chance(0.6)) steps.push({ pauseMs: 2500 });
  }
  const reads = ['configmaps?labelSelector=space', 'secrets?labelSelector=space', 'pods'].map((rest) =>
    inSpace(space, rest),
  );
  const own = `/apis/${group}/v1`;
  return { steps, reads: [...reads, `${own}/namespaces/${space}/parts`, `${own}/plants?labelSelector=space=${space}`] };
}

/** Owners and dependents with odd references, and changes while they are collected. */
export const owners: Subject = {
  name: 'owners',
  restMs: 12_000,
  setUp: [
    ...(['parts:Part:Namespaced', 'plants:Plant:Cluster'] as const).map((text) => {
      const [plural = '', kind = '', scope = ''] = text.split(':');
      return post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition(plural, kind, scope));
    }),
    // The collector looks for new kinds every 30 seconds.
    { pauseMs: 35_000 },
  ],
  deeds,
};
