import { invalidField } from '../../../../api/field-error.ts';
import { addressInRange, formatIpAddress, type IpRange, sizeOfRange } from '../../../../api/ip-address.ts';
import { internalError, invalid } from '../../../../api/status-errors.ts';
import { parseLooseAddress } from '../../../parts/addresses/addresses.ts';
import { type IpFamily, ipFamilyOf, keepsPreference } from './ip-families.ts';
import { NumberPool, reservedCount } from './number-pool.ts';
import type { Refusal, Reservation } from './reservation.ts';
import { isHeadless, needsClusterIp, type Service, type ServiceSpec } from './service-needs.ts';

/** Addresses of one family. */
export interface AddressPool {
  readonly family: IpFamily;
  readonly range: IpRange;
  readonly numbers: NumberPool;
}

/** All addresses but the network's own and the broadcast address of IPv4. */
export function addressPool(range: IpRange): AddressPool {
  const size = sizeOfRange(range);
  const isIpv4 = range.network.family === 4;
  const first = range.network.value + 1n;
  const usable = isIpv4 ? size - 2n : size - 1n;
  const dynamicFrom = first + reservedCount(usable, { step: 16n, max: 256n });
  const numbers = new NumberPool({ first, last: first + usable - 1n, dynamicFrom });
  return { family: isIpv4 ? 'IPv4' : 'IPv6', range, numbers };
}

const refusals: { readonly [refusal in Refusal]: string } = {
  outside: 'the provided network does not match the current range',
  taken: 'provided IP is already allocated',
  full: 'range is full',
};

/** Gives addresses to services. */
export class ClusterIps {
  readonly pools: readonly AddressPool[];

  constructor(ranges: readonly IpRange[]) {
    this.pools = ranges.map(addressPool);
  }

  get families(): readonly IpFamily[] {
    return this.pools.map(({ family }) => family);
  }

  /** Notes what a stored service has. */
  note(spec: ServiceSpec): void {
    for (const { pool, number } of this.#held(spec)) pool.numbers.take(number);
  }

  releaseAll(spec: ServiceSpec): void {
    for (const { pool, number } of this.#held(spec)) pool.numbers.release(number);
  }

  /** An address of each family that the service has none of. */
  allocate(service: Service, old: Readonly<Service> | undefined, reservation: Reservation): void {
    const { spec = {} } = service;
    const before = old?.spec;
    if (before === undefined || (!needsClusterIp(before) && needsClusterIp(spec))) {
      if (needsClusterIp(spec) && !isHeadless(spec)) this.#fill(service, 0, reservation);
      return;
    }
    if (keepsPreference(spec, before) || isHeadless(before) || !needsClusterIp(before)) return;
    const held = this.#held(before);
    const [now, then] = [(spec.ipFamilies ?? []).length, (before.ipFamilies ?? []).length];
    if (!needsClusterIp(spec)) for (const { pool, number } of held) reservation.release(pool.numbers, number);
    else if (then === 1 && now === 2) this.#fill(service, 1, reservation);
    else if (then === 2 && now === 1) {
      for (const { pool, number } of held.slice(1)) reservation.release(pool.numbers, number);
    }
  }

  #held(spec: ServiceSpec): { readonly pool: AddressPool; readonly number: bigint }[] {
    if (!needsClusterIp(spec) || isHeadless(spec)) return [];
    return (spec.clusterIPs ?? []).flatMap((address) => {
      const pool = this.pools.find(({ family }) => family === ipFamilyOf(address));
      const number = parseLooseAddress(address)?.value;
      return pool === undefined || number === undefined ? [] : [{ pool, number }];
    });
  }

  #fill(service: Service, from: number, reservation: Reservation): void {
    const { spec = {} } = service;
    const addresses = [...(spec.clusterIPs ?? [])];
    for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
      const pool = this.pools.find((candidate) => candidate.family === family);
      if (index < from || pool === undefined) continue;
      const wanted = addresses[index] ?? '';
      addresses[index] = wanted === '' ? takeAny(service, pool, reservation) : wanted;
      if (wanted !== '') takeWanted(service, wanted, pool, reservation);
    }
    spec.clusterIPs = addresses;
    const [first] = addresses;
    if (first !== undefined) spec.clusterIP = first;
  }
}

function takeAny(service: Service, { range, numbers }: AddressPool, reservation: Reservation): string {
  const number = reservation.takeAny(numbers, range.network.value);
  if (number !== undefined) return formatIpAddress(addressInRange(range, number - range.network.value));
  const name = JSON.stringify(service.metadata.name ?? '');
  throw internalError(`failed to allocate a serviceIP for Service ${name}: ${refusals.full}`);
}

function takeWanted(
  service: Service,
  address: string,
  { numbers, range }: AddressPool,
  reservation: Reservation,
): void {
  const refusal = reservation.take(numbers, parseLooseAddress(address)?.value ?? 0n);
  if (refusal === undefined || (reservation.dryRun && refusal === 'taken')) return;
  const shown = service.spec?.clusterIPs ?? [];
  // A dry run asks the one range, a write asks for the range that has the address.
  const words =
    reservation.dryRun && refusal === 'outside'
      ? `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${formatIpRange(range)}`
      : refusals[refusal];
  const detail = `failed to allocate IP ${address}: ${words}`;
  const error = invalidField('spec.clusterIPs', [...shown], detail);
  throw invalid({ group: '', kind: 'Service' }, service.metadata.name ?? '', [error]);
}

function formatIpRange({ network, prefixLength }: IpRange): string {
  return `${formatIpAddress(network)}/${prefixLength}`;
}
