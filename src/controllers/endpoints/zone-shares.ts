import type { KubernetesObject } from '../../api/meta/object.ts';
import { parseQuantity, quantityMilliValue } from '../../api/values/quantity.ts';
import type { Node } from '../../schema/kubernetes/generated/types/core-v1.ts';

export type StoredNode = KubernetesObject & Node;

export const zoneLabel = 'topology.kubernetes.io/zone';
const excludingLabels = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];
/** The tolerated overload of an endpoint. */
const overload = 0.2;

/** Endpoints that a zone should get. */
export interface Allocation {
  readonly most: number;
  readonly wanted: number;
}

/** The share of each zone in the CPUs of all nodes; undefined with too few zones, or nodes of unknown zone or CPU. */
export function zoneShares(nodes: Iterable<StoredNode>): ReadonlyMap<string, number> | undefined {
  const cpus = new Map<string, number>();
  let all = 0;
  for (const node of nodes) {
    const { labels = {} } = node.metadata;
    if (excludingLabels.some((label) => label in labels) || !isNodeReady(node)) continue;
    const zone = labels[zoneLabel] ?? '';
    const cpu = milliCpu(node);
    if (zone === '' || cpu === 0) return undefined;
    cpus.set(zone, (cpus.get(zone) ?? 0) + cpu);
    all += cpu;
  }
  return cpus.size < 2 ? undefined : new Map([...cpus].map(([zone, cpu]) => [zone, cpu / all]));
}

export function isNodeReady({ status }: StoredNode): boolean {
  return (status?.conditions ?? []).find(({ type }) => type === 'Ready')?.status === 'True';
}

/** How many of this many endpoints each zone should have; undefined if there are not enough. */
export function allocate(
  shares: ReadonlyMap<string, number>,
  count: number,
): ReadonlyMap<string, Allocation> | undefined {
  const least = new Map([...shares].map(([zone, share]) => [zone, Math.ceil((share * count) / (1 + overload))]));
  const sum = [...least.values()].reduce((total, each) => total + each, 0);
  if (sum > count) return undefined;
  return new Map(
    [...shares].map(([zone, share]) => {
      const minimum = least.get(zone) ?? 0;
      return [zone, { most: minimum + count - sum, wanted: Math.max(share * count, minimum) }];
    }),
  );
}

/** Whether the endpoints of some zone are overloaded. */
export function isOverloaded(
  given: ReadonlyMap<string, number>,
  shares: ReadonlyMap<string, number> | undefined,
): boolean {
  if (given.size === 0) return false;
  if (shares === undefined) return true;
  const all = [...given.values()].reduce((total, each) => total + each, 0);
  return [...shares].some(([zone, share]) => {
    const has = given.get(zone);
    return has === undefined || has < Math.ceil((all * share) / (1 + overload));
  });
}

function milliCpu({ status }: StoredNode): number {
  const text = status?.allocatable?.['cpu'];
  return text === undefined ? 0 : Number(quantityMilliValue(parseQuantity(text)));
}
