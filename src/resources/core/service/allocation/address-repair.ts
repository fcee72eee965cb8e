import { formatIpAddress, type IpAddress } from '../../../../api/values/ip-address.ts';
import type { KubernetesObject } from '../../../../api/meta/object.ts';
import type { IPAddress } from '../../../../schema/kubernetes/generated/types/networking-v1.ts';
import { addressLabels, addressManager, managerLabel } from '../../../networking/ip-address/service-address.ts';
import { parseLooseAddress } from '../../../parts/addresses/addresses.ts';
import { addressesOf } from './cluster-ips.ts';
import { isHeadless, needsClusterIp, type Service } from './service-needs.ts';

export type StoredAddress = KubernetesObject & IPAddress;

/** The content of an Event about a service or an address. */
export interface RepairEvent {
  readonly regarding: KubernetesObject;
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

/**
 * The fix: allocate the address to the service, taking it from its current owner first if there is one, or release it.
 */
export type Mending =
  | { readonly how: 'give' | 'regive'; readonly address: string; readonly service: Service }
  | { readonly how: 'remove'; readonly address: string };

export interface AddressProblem {
  readonly event?: RepairEvent;
  /** Absent: only an administrator can fix it. */
  readonly mending?: Mending;
}

export interface AddressFindings {
  readonly problems: readonly AddressProblem[];
  /** When to look again at an address that no service has yet. */
  readonly lookAgainMs: number | undefined;
}

export interface AddressState {
  readonly services: readonly Service[];
  readonly addresses: readonly StoredAddress[];
  /** Unreadable services, by `namespace/name`, and addresses: what they may use is left alone. */
  readonly unreadable: { readonly services: ReadonlySet<string>; readonly addresses: ReadonlySet<string> };
  /** Whether any declared range contains the address, ready or not. */
  isDeclared(address: IpAddress): boolean;
  readonly nowMs: number;
}

/** An address is written before its service, whose request may take this long. */
const requestMs = 60_000;
/** How long it takes to revert the release of an address whose service turned out to exist. */
const revertMs = 5_000;

/**
 * Every address of a service must have an object that names the service, and every such object must belong to an
 * address that the service has.
 */
export function findAddressProblems(state: AddressState): AddressFindings {
  const { services, addresses, nowMs } = state;
  const known: KnownObjects = {
    addresses: new Map(addresses.map((address) => [address.metadata.name ?? '', address])),
    services: new Map(services.map((service) => [keyOf(service.metadata), service])),
    isDeclared: (address) => state.isDeclared(address),
    unreadable: state.unreadable,
  };
  const problems = services.flatMap((service) => [...serviceProblems(service, known)]);
  const mended = new Set(problems.map(({ mending }) => mending?.address));
  let lookAgainMs: number | undefined;
  for (const address of addresses) {
    if (address.metadata.labels?.[managerLabel] !== addressManager || mended.has(address.metadata.name)) continue;
    const found = checkAddress(address, known, nowMs);
    if (found?.waitMs !== undefined) lookAgainMs = Math.min(lookAgainMs ?? found.waitMs, found.waitMs);
    else if (found !== undefined) problems.push(found);
  }
  return { problems, lookAgainMs };
}

interface KnownObjects extends Pick<AddressState, 'isDeclared' | 'unreadable'> {
  readonly addresses: ReadonlyMap<string, StoredAddress>;
  readonly services: ReadonlyMap<string, Service>;
}

function keyOf({ namespace = '', name = '' }: { readonly namespace?: string; readonly name?: string }): string {
  return `${namespace}/${name}`;
}

function* serviceProblems(service: Service, known: KnownObjects): Generator<AddressProblem> {
  const { spec = {} } = service;
  if (!needsClusterIp(spec) || isHeadless(spec) || (spec.clusterIP ?? '') === '') return;
  for (const text of spec.clusterIPs ?? []) {
    const address = parseLooseAddress(text);
    const problem = address === undefined ? notAnAddress(service) : checkClusterIp(service, address, known);
    if (problem !== undefined) yield problem;
  }
}

function notAnAddress(regarding: Service): AddressProblem {
  const note = 'Cluster IP <nil> is not a valid IP; please recreate Service';
  return { event: { regarding, reason: 'ClusterIPNotValid', action: 'ClusterIPValidation', note } };
}

function checkClusterIp(service: Service, address: IpAddress, known: KnownObjects): AddressProblem | undefined {
  const name = formatIpAddress(address);
  const family = `[IPv${address.family}]`;
  const tell = (reason: string, note: string): Pick<AddressProblem, 'event'> => ({
    event: { regarding: service, reason, action: 'ClusterIPAllocation', note },
  });
  if (!known.isDeclared(address)) {
    const why = 'is not within any configured Service CIDR; please recreate service';
    return tell('ClusterIPOutOfRange', `Cluster IP ${family}: ${name} ${why}`);
  }
  const holder = known.addresses.get(name);
  if (holder === undefined) {
    if (known.unreadable.addresses.has(name)) return undefined;
    const event = tell('ClusterIPNotAllocated', `Cluster IP ${family}: ${name} is not allocated; repairing`);
    return { ...event, mending: { how: 'give', address: name, service } };
  }
  const regive: Mending = { how: 'regive', address: name, service };
  const { group = '', resource = '', ...parent } = holder.spec?.parentRef ?? {};
  const isService = group === '' && resource === 'services';
  const other = isService ? known.services.get(keyOf(parent)) : undefined;
  if (other === undefined) {
    if (isService && known.unreadable.services.has(keyOf(parent))) return undefined;
    const note = `the ClusterIP ${family}: ${name} for Service ${keyOf(service.metadata)} has a wrong reference; repairing`;
    return { ...tell('ClusterIPNotAllocated', note), mending: regive };
  }
  if (other !== service && addressesOf(other.spec ?? {}).includes(name)) {
    const note = `Cluster IP ${family}:${name} was assigned to multiple services; please recreate service`;
    return tell('ClusterIPAlreadyAllocated', note);
  }
  return other === service && !hasLabels(holder, name) ? { mending: regive } : undefined;
}

function hasLabels({ metadata: { labels = {} } }: StoredAddress, name: string): boolean {
  return Object.entries(addressLabels(name)).every(([label, value]) => labels[label] === value);
}

type AddressFinding = (AddressProblem & { readonly waitMs?: undefined }) | { readonly waitMs: number };

function checkAddress(
  address: StoredAddress,
  { services, unreadable }: Pick<KnownObjects, 'services' | 'unreadable'>,
  nowMs: number,
): AddressFinding | undefined {
  const { name = '', creationTimestamp = '' } = address.metadata;
  const { group = '', resource = '', namespace = '', name: parent = '' } = address.spec?.parentRef ?? {};
  const remove = (reason: string, note: string): AddressFinding => ({
    event: { regarding: address, reason, action: 'IPAddressAllocation', note },
    mending: { how: 'remove', address: name },
  });
  if (group !== '' || resource !== 'services') {
    const shown = `&ParentReference{Group:${group},Resource:${resource},Namespace:${namespace},Name:${parent},}`;
    const why = `appears to have been modified, not referencing a Service ${shown}: cleaning up`;
    return remove('IPAddressNotAllocated', `IPAddress ${name} ${why}`);
  }
  const ageMs = nowMs - Date.parse(creationTimestamp);
  const service = services.get(keyOf({ namespace, name: parent }));
  const shown = `IPAddress: ${name} for Service ${namespace}/${parent}`;
  if (service === undefined) {
    if (unreadable.services.has(keyOf({ namespace, name: parent }))) return undefined;
    if (ageMs <= requestMs) return { waitMs: requestMs - ageMs };
    return remove('IPAddressNotAllocated', `${shown} appears to have leaked: cleaning up`);
  }
  if (addressesOf(service.spec ?? {}).includes(name)) return undefined;
  const becomesOne = service.spec?.type === 'ExternalName' && ageMs < requestMs;
  if (becomesOne) return { waitMs: requestMs - ageMs };
  const isYounger = Date.parse(creationTimestamp) > Date.parse(service.metadata.creationTimestamp ?? '');
  if (isYounger && ageMs < revertMs) return { waitMs: revertMs };
  return remove('IPAddressWrongReference', `${shown} has a wrong reference; cleaning up`);
}
