import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from '../../schema/kubernetes/generated/types/discovery-v1.ts';

export type StoredSlice = KubernetesObject & EndpointSlice;

/** Endpoints with the same ports. */
export interface PortGroup {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

/** The slices to be written. */
export interface SlicePlan {
  readonly create: StoredSlice[];
  readonly update: StoredSlice[];
  readonly delete: StoredSlice[];
}

export interface PlanOptions {
  /** A new slice without endpoints. */
  readonly make: (ports: readonly EndpointPort[]) => StoredSlice;
  /** The labels that a slice should have; undefined when it has them. */
  readonly relabel: (slice: StoredSlice) => { [label: string]: string } | undefined;
  readonly mostEndpoints: number;
}

/** The identity of an endpoint; all else may change in place. */
export function identityOf({ addresses = [], hostname = '', targetRef }: Endpoint): string {
  return JSON.stringify([addresses.toSorted(), hostname, targetRef?.namespace ?? '', targetRef?.name ?? '']);
}

/**
 * Brings the slices of one group of ports in line with its endpoints, with few writes at little cost.
 *
 * 1. Endpoints stay in their slice; those that are gone are removed, and a slice left empty is deleted.
 * 2. New endpoints fill the slices that are written anyway, fullest first.
 * 3. The rest goes into the one unchanged slice that it fills best, or into new slices.
 */
export function planGroup(existing: readonly StoredSlice[], group: PortGroup, options: PlanOptions): SlicePlan {
  const wanted = new Map<string, Endpoint>();
  for (const endpoint of group.endpoints) {
    wanted.set(identityOf(endpoint), endpoint);
  }
  const plan: SlicePlan = { create: [], update: [], delete: [] };
  const unchanged: StoredSlice[] = [];
  for (const slice of existing) {
    const { next, isEmpty } = kept(slice, wanted, options);
    if (isEmpty) plan.delete.push(slice);
    else if (next === undefined) unchanged.push(slice);
    else plan.update.push(next);
  }
  const left = [...wanted.values()];
  const fullestFirst = plan.update.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  for (const slice of fullestFirst) fill(slice, left, options.mostEndpoints);
  while (left.length > 0) {
    const best = bestFit(unchanged, left.length, options.mostEndpoints);
    const slice = best === undefined ? options.make(group.ports) : { ...best };
    fill(slice, left, options.mostEndpoints);
    (best === undefined ? plan.create : plan.update).push(slice);
  }
  return plan;
}

/** Removes from `wanted` what the slice has. */
function kept(
  slice: StoredSlice,
  wanted: Map<string, Endpoint>,
  { relabel }: PlanOptions,
): { readonly next?: StoredSlice; readonly isEmpty: boolean } {
  const { endpoints = [] } = slice;
  let hasChanged = false;
  const stay: Endpoint[] = [];
  for (const endpoint of endpoints) {
    const identity = identityOf(endpoint);
    const now = wanted.get(identity);
    if (now === undefined) continue;
    wanted.delete(identity);
    hasChanged ||= !isSameEndpoint(now, endpoint);
    stay.push(now);
  }
  const labels = relabel(slice);
  if (stay.length < endpoints.length || hasChanged) {
    if (stay.length === 0) return { isEmpty: true };
    const metadata = labels === undefined ? slice.metadata : { ...slice.metadata, labels };
    return { isEmpty: false, next: { ...slice, metadata, endpoints: stay } };
  }
  if (labels === undefined) return { isEmpty: false };
  return { isEmpty: false, next: { ...slice, metadata: { ...slice.metadata, labels } } };
}

/** Hints are given later. */
export function isSameEndpoint(a: Endpoint, b: Endpoint): boolean {
  return (
    a.nodeName === b.nodeName &&
    a.zone === b.zone &&
    isDeepStrictEqual(a.conditions, b.conditions) &&
    isDeepStrictEqual(a.targetRef, b.targetRef)
  );
}

function fill(slice: StoredSlice, left: Endpoint[], most: number): void {
  const room = most - sizeOf(slice);
  if (room > 0) slice.endpoints = [...(slice.endpoints ?? []), ...left.splice(0, room)];
}

/** The slice with the least sufficient room. */
function bestFit(slices: readonly StoredSlice[], count: number, most: number): StoredSlice | undefined {
  if (count >= most) return undefined;
  const fitting = slices.filter((slice) => sizeOf(slice) + count <= most);
  return fitting.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0];
}

function sizeOf({ endpoints = [] }: StoredSlice): number {
  return endpoints.length;
}
