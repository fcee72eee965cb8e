import { invalidField } from '../../../../api/errors/field-error.ts';
import { formatIpAddress } from '../../../../api/values/ip-address.ts';
import { internalError, invalid } from '../../../../api/errors/status-errors.ts';
import type { StatusError } from '../../../../api/errors/status.ts';
import { TimeSlice } from '../../../../api/scheduling/time-slice.ts';
import { parseLooseAddress } from '../../../parts/addresses/addresses.ts';
import type { AddressRegister, Claim } from './address-register.ts';
import { keepsPreference } from './ip-families.ts';
import type { Reservation } from './reservation.ts';
import { isHeadless, needsClusterIp, type Service, type ServiceSpec } from './service-needs.ts';

const problems = {
  outside: 'the provided network does not match the current range',
  taken: 'provided IP is already allocated',
  full: 'range is full',
  notReady: 'allocator not ready',
};

/** Allocates cluster IPs to services. */
export class ClusterIps {
  readonly #register: AddressRegister;

  constructor(register: AddressRegister) {
    this.#register = register;
  }

  async releaseAll(service: Readonly<Service>): Promise<void> {
    for (const address of addressesOf(service.spec ?? {})) await this.#register.release(address, service);
  }

  /** Allocates an address for each family that has none yet. */
  async allocate(service: Service, old: Readonly<Service> | undefined, reservation: Reservation): Promise<void> {
    const { spec = {} } = service;
    const before = old?.spec;
    if (before === undefined || (!needsClusterIp(before) && needsClusterIp(spec))) {
      if (needsClusterIp(spec) && !isHeadless(spec)) await this.#fill(service, 0, reservation);
      return;
    }
    if (keepsPreference(spec, before) || isHeadless(before) || !needsClusterIp(before)) return;
    const held = addressesOf(before);
    const [now, then] = [(spec.ipFamilies ?? []).length, (before.ipFamilies ?? []).length];
    if (!needsClusterIp(spec)) this.#releaseLater(service, held, reservation);
    else if (then === 1 && now === 2) await this.#fill(service, 1, reservation);
    else if (then === 2 && now === 1) this.#releaseLater(service, held.slice(1), reservation);
  }

  #releaseLater(service: Service, addresses: readonly string[], reservation: Reservation): void {
    for (const address of addresses) reservation.onSuccess(() => this.#register.release(address, service));
  }

  async #fill(service: Service, from: number, reservation: Reservation): Promise<void> {
    const { spec = {} } = service;
    const families = spec.ipFamilies ?? [];
    const addresses = families.map((_, index) => spec.clusterIPs?.[index] ?? '');
    // Errors show the addresses allocated so far.
    spec.clusterIPs = addresses;
    for (const [index, family] of families.entries()) {
      if (index < from) continue;
      const wanted = addresses[index] ?? '';
      const given = await this.#take(service, { family, wanted }, reservation);
      reservation.onFailure(() => this.#register.release(given, service));
      addresses[index] = wanted === '' ? given : wanted;
    }
    const [first] = addresses;
    if (first !== undefined) spec.clusterIP = first;
  }

  #take(service: Service, portRequest: PortRequest, { dryRun }: Reservation): Promise<string> {
    if (dryRun) return this.#tryOut(service, portRequest);
    return portRequest.wanted === ''
      ? this.#takeAny(service, portRequest.family)
      : this.#takeWanted(service, portRequest.wanted);
  }

  async #takeAny(service: Service, family: string): Promise<string> {
    const timeSlice = new TimeSlice();
    for (const { range, isReady } of await this.#register.ranges()) {
      if (range.family !== family || !isReady) continue;
      for (const address of range.candidates()) {
        if (timeSlice.isOver) await timeSlice.next();
        const isFree = !this.#register.isKnown(address);
        if (isFree && (await this.#claim(service, address, { range, scope: 'dynamic', shown: 'IP' }))) return address;
      }
    }
    const name = JSON.stringify(service.metadata.name ?? '');
    throw internalError(`failed to allocate a serviceIP for Service ${name}: ${problems.full}`);
  }

  async #takeWanted(service: Service, wanted: string): Promise<string> {
    const address = parseLooseAddress(wanted);
    const shown = `IP ${wanted}`;
    const ranges = address === undefined ? [] : await this.#register.ranges();
    const declared = ranges.find(({ range, isReady }) => isReady && address !== undefined && range.includes(address));
    if (address === undefined || declared === undefined) throw refused(service, shown, problems.outside);
    const name = formatIpAddress(address);
    if (await this.#claim(service, name, { range: declared.range, scope: 'static', shown })) return name;
    throw refused(service, shown, problems.taken);
  }

  /**
   * For a dry run: an address that is not allocated. Checks only one range, while a write looks for the range that
   * contains the address.
   */
  async #tryOut(service: Service, { family, wanted }: PortRequest): Promise<string> {
    const [declared] = (await this.#register.ranges()).filter(({ range }) => range.family === family);
    const shown = wanted === '' ? 'IP' : `IP ${wanted}`;
    if (declared?.isReady !== true) throw refused(service, shown, problems.notReady);
    const { range } = declared;
    if (wanted === '') return formatIpAddress(range.network);
    const address = parseLooseAddress(wanted);
    if (address !== undefined && range.includes(address)) return formatIpAddress(address);
    const problem = `the provided IP (${wanted}) is not in the valid range. The range of valid IPs is ${range.text}`;
    throw refused(service, shown, problem);
  }

  /** `shown` is the address in the errors of other failures. */
  async #claim(
    service: Service,
    address: string,
    { shown, ...claim }: Claim & { readonly shown: string },
  ): Promise<boolean> {
    try {
      return await this.#register.claim(address, service, claim);
    } catch (error) {
      throw refused(service, shown, error instanceof Error ? error.message : String(error));
    }
  }
}

/** One address of a family; `wanted` is empty if any will do. */
interface PortRequest {
  readonly family: string;
  readonly wanted: string;
}

/** The addresses of a service in canonical form. */
export function addressesOf(spec: ServiceSpec): string[] {
  if (!needsClusterIp(spec) || isHeadless(spec)) return [];
  return (spec.clusterIPs ?? []).flatMap((text) => {
    const address = parseLooseAddress(text);
    return address === undefined ? [] : [formatIpAddress(address)];
  });
}

function refused(service: Service, shown: string, problem: string): StatusError {
  const clusterIPs = service.spec?.clusterIPs ?? [];
  const error = invalidField('spec.clusterIPs', [...clusterIPs], `failed to allocate ${shown}: ${problem}`);
  return invalid({ group: '', kind: 'Service' }, service.metadata.name ?? '', [error]);
}
