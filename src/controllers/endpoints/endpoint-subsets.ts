import type { EndpointAddress, EndpointPort, EndpointSubset } from '../../schema/kubernetes/generated/types/core-v1.ts';
import { compareBytewise } from '../../api/json/json-text.ts';
import { sortedByHash } from './go-hash.ts';

export interface AddressState {
  readonly address: EndpointAddress;
  readonly isReady: boolean;
}

/** Addresses with their ports; an undefined one for services without ports. */
export interface PortedAddresses {
  readonly ports: readonly (EndpointPort | undefined)[];
  readonly states: readonly AddressState[];
}

/** The subsets are more than can be written. */
export class TooManyAddressesError extends Error {
  override readonly name = 'TooManyAddressesError';
  readonly code = 'TOO_MANY_ADDRESSES';
}

const noPort = '';
/** The limit of states of all subsets, before they are cut. */
const mostStates = 200_000;

/** Addresses grouped by their ports, in the reference's order. Throws a TooManyAddressesError. */
export function packSubsets(all: readonly PortedAddresses[]): readonly EndpointSubset[] {
  const subsets = new Map<string, { ports: EndpointPort[]; states: readonly AddressState[] }>();
  let count = 0;
  const described = firstDescriptions(all);
  for (const together of portsTogether(all).values()) {
    const groups = together.flatMap(({ groups: own }, at) => (at === 0 ? own : []));
    const states = statesOf(groups, described);
    count += states.length;
    if (count > mostStates) throw new TooManyAddressesError('the ports have too many different lists of addresses');
    const key = JSON.stringify(states);
    const subset = subsets.get(key) ?? { ports: [], states };
    subsets.set(key, subset);
    for (const { port } of together) if (port !== undefined) subset.ports.push(port);
  }
  const packed: EndpointSubset[] = [];
  for (const subset of subsets.values()) packed.push(subsetOf(subset));
  return sortedByHash(packed, printedSubset);
}

interface GroupedPort {
  readonly port: EndpointPort | undefined;
  readonly groups: readonly PortedAddresses[];
}

/** Ports that the same addresses have. */
function portsTogether(all: readonly PortedAddresses[]): ReadonlyMap<string, readonly GroupedPort[]> {
  const byPort = new Map<string, { port: EndpointPort | undefined; groups: PortedAddresses[]; of: Set<number> }>();
  for (const [index, group] of all.entries()) {
    for (const port of group.ports) {
      const key = port === undefined ? noPort : printedPort(port);
      const known = byPort.get(key) ?? { port, groups: [], of: new Set() };
      byPort.set(key, known);
      if (!known.of.has(index)) known.groups.push(group);
      known.of.add(index);
    }
  }
  return Map.groupBy(byPort.values(), ({ of }) => [...of].join());
}

/** What is said of an address first counts everywhere. */
function firstDescriptions(all: readonly PortedAddresses[]): ReadonlyMap<string, EndpointAddress> {
  const described = new Map<string, EndpointAddress>();
  for (const { states } of all) {
    for (const { address } of states) {
      const identity = identityOf(address);
      if (!described.has(identity)) described.set(identity, address);
    }
  }
  return described;
}

function identityOf({ ip = '', targetRef }: EndpointAddress): string {
  return `${ip} ${targetRef?.uid ?? ''}`;
}

/** In order of their addresses; one that is not ready for one group is not ready at all. */
function statesOf(
  groups: readonly PortedAddresses[],
  described: ReadonlyMap<string, EndpointAddress>,
): readonly AddressState[] {
  const states = new Map<string, AddressState>();
  for (const group of groups) {
    for (const { address, isReady } of group.states) {
      const identity = identityOf(address);
      const state = { address: described.get(identity) ?? address, isReady };
      if (states.get(identity)?.isReady !== false) states.set(identity, state);
    }
  }
  return [...states.values()].toSorted((a, b) => compareAddresses(a.address, b.address));
}

function subsetOf({
  ports,
  states,
}: {
  readonly ports: readonly EndpointPort[];
  readonly states: readonly AddressState[];
}): EndpointSubset {
  const addresses = states.filter(({ isReady }) => isReady).map(({ address }) => address);
  const notReadyAddresses = states.filter(({ isReady }) => !isReady).map(({ address }) => address);
  const sorted = sortedByHash(ports, (port) => `(v1.EndpointPort)${printedPort(port)}`);
  return {
    ...(addresses.length === 0 ? {} : { addresses }),
    ...(notReadyAddresses.length === 0 ? {} : { notReadyAddresses }),
    ...(sorted.length === 0 ? {} : { ports: [...sorted] }),
  };
}

function compareAddresses(a: EndpointAddress, b: EndpointAddress): number {
  return compareBytewise(a.ip ?? '', b.ip ?? '') || compareBytewise(a.targetRef?.uid ?? '', b.targetRef?.uid ?? '');
}

function printedPort({ name = '', port = 0, protocol = '', appProtocol = '<nil>' }: EndpointPort): string {
  return `{Name:(string)${name} Port:(int32)${port} Protocol:(v1.Protocol)${protocol} AppProtocol:(*string)${appProtocol}}`;
}

export function printedSubset({ addresses, notReadyAddresses, ports }: EndpointSubset): string {
  const list = <T>(items: readonly T[] | undefined, print: (item: T) => string): string =>
    items === undefined ? '<nil>' : `[${items.map(print).join(' ')}]`;
  const some = list(addresses, printedAddress);
  const others = list(notReadyAddresses, printedAddress);
  return `(v1.EndpointSubset){Addresses:([]v1.EndpointAddress)${some} NotReadyAddresses:([]v1.EndpointAddress)${others} Ports:([]v1.EndpointPort)${list(ports, printedPort)}}`;
}

function printedAddress({ ip = '', hostname = '', nodeName = '<nil>', targetRef }: EndpointAddress): string {
  const { kind = '', namespace = '', name = '', uid = '' } = targetRef ?? {};
  const target =
    targetRef === undefined
      ? '<nil>'
      : `{Kind:(string)${kind} Namespace:(string)${namespace} Name:(string)${name} UID:(types.UID)${uid} APIVersion:(string) ResourceVersion:(string) FieldPath:(string)}`;
  return `{IP:(string)${ip} Hostname:(string)${hostname} NodeName:(*string)${nodeName} TargetRef:(*v1.ObjectReference)${target}}`;
}

/** The capacity of Endpoints; ready addresses come first. */
export const mostAddresses = 1000;

export function addressCount(subsets: readonly EndpointSubset[]): number {
  return readyCount(subsets) + unreadyCount(subsets);
}

/** Truncates to the capacity of Endpoints, each subset in proportion. */
export function truncated(subsets: readonly EndpointSubset[]): readonly EndpointSubset[] {
  const ready = readyCount(subsets);
  const cutsReady = ready > mostAddresses;
  const room = cutsReady ? mostAddresses : mostAddresses - ready;
  const all = cutsReady ? ready : unreadyCount(subsets);
  let left = room;
  return subsets.map(({ addresses = [], notReadyAddresses = [], ...rest }) => {
    const cut = cutsReady ? addresses : notReadyAddresses;
    const stay = cut.slice(0, Math.min(Math.ceil((cut.length / all) * room), left));
    left -= stay.length;
    const some = cutsReady ? stay : addresses;
    const others = cutsReady ? [] : stay;
    return {
      ...rest,
      ...(some.length === 0 ? {} : { addresses: some }),
      ...(others.length === 0 ? {} : { notReadyAddresses: others }),
    };
  });
}

function readyCount(subsets: readonly EndpointSubset[]): number {
  return subsets.reduce((sum, { addresses = [] }) => sum + addresses.length, 0);
}

function unreadyCount(subsets: readonly EndpointSubset[]): number {
  return subsets.reduce((sum, { notReadyAddresses = [] }) => sum + notReadyAddresses.length, 0);
}
