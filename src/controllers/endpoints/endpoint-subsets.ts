import type { EndpointAddress, EndpointPort, EndpointSubset } from '../../schema/kubernetes/generated/types/core-v1.ts';
import { compareBytewise } from '../../api/json-text.ts';
import { sortedByHash } from './go-hash.ts';

/** An address with a port, or with none for services without ports. */
export interface AddressOnPort {
  readonly port: EndpointPort | undefined;
  readonly address: EndpointAddress;
  readonly isReady: boolean;
}

interface AddressState {
  readonly address: EndpointAddress;
  readonly isReady: boolean;
}

const noPort = '';

/** Addresses grouped by their ports, in the reference's order. */
export function packSubsets(entries: readonly AddressOnPort[]): readonly EndpointSubset[] {
  const byPort = new Map<string, { port: EndpointPort | undefined; states: Map<string, AddressState> }>();
  for (const { port, address, isReady } of entries) {
    const key = port === undefined ? noPort : printedPort(port);
    const group = byPort.get(key) ?? { port, states: new Map<string, AddressState>() };
    byPort.set(key, group);
    const identity = `${address.ip} ${address.targetRef?.uid ?? ''}`;
    // An address that is not ready for one entry is not ready at all.
    if (group.states.get(identity)?.isReady !== false) group.states.set(identity, { address, isReady });
  }
  const subsets = new Map<string, { ports: EndpointPort[]; states: readonly AddressState[] }>();
  for (const { port, states } of byPort.values()) {
    const ordered = [...states.values()].toSorted((a, b) => compareAddresses(a.address, b.address));
    const key = JSON.stringify(ordered);
    const subset = subsets.get(key) ?? { ports: [], states: ordered };
    subsets.set(key, subset);
    if (port !== undefined) subset.ports.push(port);
  }
  return sortedByHash([...subsets.values()].map(subsetOf), printedSubset);
}

function subsetOf({ ports, states }: { ports: EndpointPort[]; states: readonly AddressState[] }): EndpointSubset {
  const addresses = states.filter(({ isReady }) => isReady).map(({ address }) => address);
  const notReadyAddresses = states.filter(({ isReady }) => !isReady).map(({ address }) => address);
  return {
    ...(addresses.length === 0 ? {} : { addresses }),
    ...(notReadyAddresses.length === 0 ? {} : { notReadyAddresses }),
    ...(ports.length === 0
      ? {}
      : { ports: [...sortedByHash(ports, (port) => `(v1.EndpointPort)${printedPort(port)}`)] }),
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
