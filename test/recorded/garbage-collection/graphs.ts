import type { JsonObject } from '../../../src/api/json/json.ts';
import { Random } from '../../../tools/random-objects/repeatable-random.ts';

/** A kind that objects of graphs are of. */
export interface GraphKind {
  readonly letter: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** What an object needs beside its metadata. */
  readonly rest: JsonObject;
}

const core = { apiVersion: 'v1', namespaced: true };
const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1', rest: { rules: [] } };
export const customGroup = 'collection.example.com';
const custom = { apiVersion: `${customGroup}/v1`, rest: {} };
const container = { name: 'c', image: 'i' };
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } };

export const graphKinds: readonly GraphKind[] = [
  { ...core, letter: 'c', kind: 'ConfigMap', plural: 'configmaps', rest: {} },
  { ...core, letter: 's', kind: 'Secret', plural: 'secrets', rest: {} },
  {
    ...core,
    letter: 'o',
    // Its dependents stay unless a deletion says otherwise.
    kind: 'ReplicationController',
    plural: 'replicationcontrollers',
    rest: { spec: { replicas: 0, selector: { a: 'b' }, template } },
  },
  { ...rbac, letter: 'r', kind: 'Role', plural: 'roles', namespaced: true },
  { ...rbac, letter: 'k', kind: 'ClusterRole', plural: 'clusterroles', namespaced: false },
  { ...custom, letter: 'w', kind: 'Widget', plural: 'widgets', namespaced: true },
  { ...custom, letter: 'g', kind: 'Gadget', plural: 'gadgets', namespaced: false },
];

/** What is wrong with a reference, if something is. */
export type Fault = 'uid' | 'name' | 'kind' | 'unserved' | 'elsewhere';

export interface GraphEdge {
  /** Index of the owner. */
  readonly to: number;
  readonly blocks: boolean | undefined;
  readonly fault: Fault | undefined;
  /** Given when all objects are there: the way to circles. */
  readonly isLate: boolean;
}

export interface GraphObject {
  readonly kind: GraphKind;
  readonly edges: readonly GraphEdge[];
  readonly finalizers: readonly string[];
}

export const policies = ['Background', 'Foreground', 'Orphan'] as const;
export type Policy = (typeof policies)[number];

export interface Deletion {
  readonly of: number;
  readonly options: JsonObject;
}

export interface OwnershipGraph {
  readonly objects: readonly GraphObject[];
  /** One after the other, each when the one before has had all its effects. */
  readonly deletions: readonly Deletion[];
}

/** Keeps an object until it is taken away. */
export const hold = 'example.com/hold';

type Shape = (random: Random, size: number) => readonly (readonly [from: number, to: number])[];

const shapes: readonly Shape[] = [
  (_, size) => range(1, size).map((at) => [at, at - 1]),
  (_, size) => range(1, size).map((at) => [at, (at - 1) >> 1]),
  (_, size) => [
    ...range(1, size - 1).map((at) => [at, 0] as const),
    ...range(1, size - 1).map((at) => [size - 1, at] as const),
  ],
  (_, size) => range(0, size).map((at) => [at, (at + 1) % size]),
  (random, size) =>
    range(1, size).flatMap((at) => range(0, random.below(4)).map(() => [at, random.below(at)] as const)),
  (random, size) => range(0, size * 2).map(() => [random.below(size), random.below(size)] as const),
];

/** The graph of a seed. What it is under each policy differs in how the first object is deleted. */
export function graphOf(seed: number, policy: Policy): OwnershipGraph {
  const random = new Random(seed);
  const size = 3 + random.below(7);
  const shape = shapes[seed % shapes.length];
  const pairs = shape?.(random, size) ?? [];
  const objects = range(0, size).map((at) => ({
    kind: graphKinds[weighted(random)] ?? notThere(),
    edges: distinct(pairs.filter(([from]) => from === at)).map(([, to]) => edgeOf(random, at, to)),
    finalizers: finalizersOf(random),
  }));
  const first = { of: random.below(Math.min(2, size)), options: { propagationPolicy: policy } };
  const later = range(0, random.below(3)).map(() => ({ of: random.below(size), options: optionsOf(random) }));
  return { objects, deletions: [first, ...later] };
}

/** Mostly objects of namespaces. */
function weighted(random: Random): number {
  const at = random.below(10);
  return at < graphKinds.length ? at : ([0, 1, 5][at - graphKinds.length] ?? 0);
}

function edgeOf(random: Random, from: number, to: number): GraphEdge {
  const faults: readonly Fault[] = ['uid', 'name', 'kind', 'unserved', 'elsewhere'];
  const blocks = [true, true, false, undefined][random.below(4)];
  const fault = faults[random.below(50)];
  const isLate = to >= from || random.below(5) === 0;
  // What is wrong is wrong from the beginning: references are given one after the other, while there is somebody who
  // collects.
  return { to, blocks, fault: isLate ? undefined : fault, isLate };
}

function finalizersOf(random: Random): readonly string[] {
  const at = random.below(30);
  return [[hold], [hold], [hold], [hold], ['orphan'], ['foregroundDeletion'], [hold, 'orphan']][at] ?? [];
}

function optionsOf(random: Random): JsonObject {
  const all: readonly JsonObject[] = [
    ...policies.map((propagationPolicy) => ({ propagationPolicy })),
    ...[true, false].map((orphanDependents) => ({ orphanDependents })),
    {},
  ];
  return all[random.below(all.length)] ?? {};
}

/**
 * Whether the end may depend on who is first: a foreground deletion reaches an object by a reference that does not
 * block. Its owner then goes at once, and whether the object is still found to be the dependent of one who waits, and
 * is deleted in the foreground as well, is a matter of time.
 */
export function dependsOnTime({ objects, deletions }: OwnershipGraph): boolean {
  const isForeground = (at: number): boolean =>
    objects[at]?.finalizers.includes('foregroundDeletion') === true ||
    deletions.some(({ of, options }) => of === at && options['propagationPolicy'] === 'Foreground');
  const owns = (owner: number, { edges }: GraphObject): boolean => edges.some(({ to }) => to === owner);
  const reached = new Set([...objects.keys()].filter(isForeground));
  for (const owner of reached) for (const [at, object] of objects.entries()) if (owns(owner, object)) reached.add(at);
  return objects.some(
    ({ edges }, at) =>
      objects.some((dependent) => owns(at, dependent)) &&
      edges.some(({ to, blocks }) => reached.has(to) && blocks !== true),
  );
}

function distinct(pairs: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  return [...new Map(pairs.map((pair) => [pair[1], pair])).values()];
}

function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, at) => start + at);
}

function notThere(): never {
  throw new Error('there is no such kind');
}
