import type { Endpoint } from '../../schema/kubernetes/generated/types/discovery-v1.ts';
import type { EventContent } from '../controller-events.ts';
import { applyHints, isEndpointReady, noHints } from './slice-hints.ts';
import type { SlicePlan, StoredSlice } from './slice-plan.ts';
import { type Allocation, allocate, isOverloaded, type StoredNode, zoneShares } from './zone-shares.ts';

export interface HintedSlices {
  /** The key of the service. */
  readonly key: string;
  readonly addressType: string;
  readonly plan: SlicePlan;
  /** The slices that the plan leaves alone. */
  readonly unchanged: readonly StoredSlice[];
}

const disabledReason = 'TopologyAwareHintsDisabled';
const insufficientNodes = 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes';

type Counts = ReadonlyMap<string, number>;

/**
 * For services annotated `service.kubernetes.io/topology-mode: Auto`: distributes endpoints among zones by their CPU.
 */
export class TopologyHints {
  #shares: Counts | undefined;
  /** Endpoints allocated to zones, by service and address type. */
  readonly #given = new Map<string, Map<string, Counts>>();
  readonly #hinted = new Set<string>();

  /** Returns the services that now have too few endpoints in some zone. */
  setNodes(nodes: Iterable<StoredNode>): readonly string[] {
    this.#shares = zoneShares(nodes);
    return [...this.#given].flatMap(([key, byType]) =>
      [...byType.values()].some((counts) => isOverloaded(counts, this.#shares)) ? [key] : [],
    );
  }

  /** Sets hints in the slices of the plan, adding slices that need other hints; returns the events to record. */
  add({ key, addressType, plan, unchanged }: HintedSlices): EventContent | undefined {
    const eventOf = (what: Omit<EventContent, 'message'> & { readonly text: string }): EventContent => {
      return { type: what.type, reason: what.reason, message: `${what.text}, addressType: ${addressType}` };
    };
    const refuse = (text: string): EventContent => {
      this.remove(key, addressType);
      applyHints(plan, unchanged, noHints);
      return eventOf({ type: 'Warning', reason: disabledReason, text });
    };
    const ready = [...plan.create, ...plan.update, ...unchanged].flatMap(readyIn);
    const allocation = this.#allocate(ready.length);
    if (typeof allocation === 'string') return refuse(allocation);
    const given = keepHints(plan, unchanged, allocation);
    const open = [...plan.create, ...plan.update];
    for (const { zone = '' } of open.flatMap(readyIn)) {
      if (zone === '') return refuse('One or more endpoints do not have a zone specified');
      given.set(zone, (given.get(zone) ?? 0) + 1);
    }
    redistribute(open, given, allocation);
    if (given.size === 0) return refuse('No hints allocated for zones');
    const isNew = !this.#hinted.has(key);
    this.#hinted.add(key);
    const byType = this.#given.get(key) ?? new Map<string, Counts>();
    this.#given.set(key, byType.set(addressType, given));
    const enabled = { type: 'Normal', reason: 'TopologyAwareHintsEnabled' } as const;
    return isNew ? eventOf({ ...enabled, text: 'Topology Aware Hints has been enabled' }) : undefined;
  }

  /** Forgets the allocation of a service; returns the events to record if it no longer wants hints. */
  remove(key: string, addressType: string): EventContent | undefined {
    const byType = this.#given.get(key);
    byType?.delete(addressType);
    if (byType?.size === 0) this.#given.delete(key);
    if (!this.#hinted.delete(key)) return undefined;
    const message = `Topology Aware Hints has been disabled, addressType: ${addressType}`;
    return { type: 'Warning', reason: disabledReason, message };
  }

  #allocate(count: number): ReadonlyMap<string, Allocation> | string {
    if (this.#shares === undefined) return insufficientNodes;
    const numbers = `(${count} endpoints, ${this.#shares.size} zones)`;
    if (this.#shares.size > count) return `Insufficient number of endpoints ${numbers}`;
    const what = 'Unable to allocate minimum required endpoints to each zone without exceeding overload threshold';
    return allocate(this.#shares, count) ?? `${what} ${numbers}`;
  }
}

function readyIn({ endpoints = [] }: StoredSlice): readonly Endpoint[] {
  return endpoints.filter(isEndpointReady);
}

/** Adds the slices whose hints cannot stay to the plan; returns the endpoints of the others, by zone. */
function keepHints(
  plan: SlicePlan,
  unchanged: readonly StoredSlice[],
  allocation: ReadonlyMap<string, Allocation>,
): Map<string, number> {
  const given = new Map<string, number>();
  for (const slice of unchanged) {
    const zones = hintedZones(slice);
    const next = new Map(given);
    for (const zone of zones ?? []) next.set(zone, (next.get(zone) ?? 0) + 1);
    const fits = [...new Set(zones)].every((zone) => (next.get(zone) ?? 0) <= (allocation.get(zone)?.most ?? -1));
    if (zones === undefined || !fits) plan.update.push({ ...slice, endpoints: [...(slice.endpoints ?? [])] });
    else for (const [zone, count] of next) given.set(zone, count);
  }
  return given;
}

/** Undefined if an endpoint has no zone. */
function hintedZones(slice: StoredSlice): readonly string[] | undefined {
  const zones = readyIn(slice).map(({ hints }) => (hints?.forZones ?? []).map(({ name = '' }) => name));
  return zones.some((each) => each.length === 0) ? undefined : zones.flat();
}

/** Initially all endpoints serve their own zone; zones with a surplus then lend some to those with a deficit. */
function redistribute(
  slices: readonly StoredSlice[],
  given: Map<string, number>,
  allocation: ReadonlyMap<string, Allocation>,
): void {
  const { giving, receiving } = imbalance(given, allocation);
  for (const slice of slices) {
    slice.endpoints = (slice.endpoints ?? []).map((endpoint) => {
      if (!isEndpointReady(endpoint)) return endpoint;
      const { zone = '' } = endpoint;
      const taker = (giving.get(zone) ?? 0) > 0 ? [...receiving.keys()][0] : undefined;
      if (taker === undefined) return { ...endpoint, hints: { forZones: [{ name: zone }] } };
      count(giving, zone, -1);
      count(receiving, taker, -1);
      given.set(zone, (given.get(zone) ?? 0) - 1);
      given.set(taker, (given.get(taker) ?? 0) + 1);
      return { ...endpoint, hints: { forZones: [{ name: taker }] } };
    });
  }
}

/** Whole endpoints that zones lend and borrow, the most needy first. */
function imbalance(
  given: Counts,
  allocation: ReadonlyMap<string, Allocation>,
): { readonly giving: Map<string, number>; readonly receiving: Map<string, number> } {
  const surplus = new Map([...allocation].map(([zone, { wanted }]) => [zone, (given.get(zone) ?? 0) - wanted]));
  const giving = new Map<string, number>();
  const receiving = new Map<string, number>();
  for (;;) {
    const ordered = [...surplus].toSorted(([, a], [, b]) => b - a);
    const [giver, toGive] = ordered.at(0) ?? ['', 0];
    const [taker, toTake] = ordered.at(-1) ?? ['', 0];
    if (toGive < 0.5 || -toTake < 0.5 || (toGive < 1 && -toTake < 1)) return { giving, receiving };
    count(giving, giver, 1);
    count(receiving, taker, 1);
    surplus.set(giver, toGive - 1).set(taker, toTake + 1);
  }
}

function count(counts: Map<string, number>, zone: string, by: number): void {
  const next = (counts.get(zone) ?? 0) + by;
  if (next === 0) counts.delete(zone);
  else counts.set(zone, next);
}
