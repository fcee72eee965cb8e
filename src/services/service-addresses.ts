import type { Admission } from '../api/contracts/admission.ts';
import type { Clock } from '../api/time/clock.ts';
import { deadlineIn } from '../api/time/deadline.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { isReason } from '../api/errors/status.ts';
import { create } from '../operations/create.ts';
import { deleteNamed } from '../operations/delete.ts';
import type { KindRegistry } from '../operations/kinds.ts';
import type { Operation } from '../operations/operation.ts';
import type { StoredObject } from '../registry/stored/stored-object.ts';
import type { StoreKind } from '../registry/stored/store-kind.ts';
import { noOptions } from '../registry/kinds/delete-options.ts';
import { readable } from '../registry/stored/unreadable.ts';
import type { DeclaredRange } from '../resources/core/service/allocation/address-register.ts';
import type { Service } from '../resources/core/service/allocation/service-needs.ts';
import { ServiceRange } from '../resources/core/service/allocation/service-range.ts';
import { newIpAddress, parentOf } from '../resources/networking/ip-address/service-address.ts';
import { isReady } from '../resources/networking/service-cidr/readiness.ts';
import type { IPAddress, ServiceCIDR } from '../schema/kubernetes/generated/types/networking-v1.ts';
import { prefixEnd } from '../storage/contract.ts';
import type { CacheEntry } from '../watchcache/cache-entry.ts';
import type { CachedObjects } from '../scopes/cached-objects.ts';
import { systemOperation, systemWrite } from '../system/system-operation.ts';

export interface ServiceAddressesOptions {
  readonly kinds: () => KindRegistry;
  readonly stored: CachedObjects;
  readonly admission: Admission;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

const serviceCidrs = { group: 'networking.k8s.io', version: 'v1', plural: 'servicecidrs' };
const fillMs = 10_000;
const patienceMs = 30_000;

/**
 * Service addresses as API objects: ranges are ServiceCIDRs, and an address is allocated if an IPAddress with its name
 * exists.
 */
export class ServiceAddresses {
  readonly #options: ServiceAddressesOptions;
  /** Addresses being claimed by concurrent requests of this server. */
  readonly #claiming = new Set<string>();
  /** Ranges computed from the ServiceCIDRs, which keep their identity while unchanged. */
  #declared: { readonly from: readonly object[]; readonly ranges: readonly DeclaredRange[] } = { from: [], ranges: [] };

  constructor(options: ServiceAddressesOptions) {
    this.#options = options;
  }

  async ranges(): Promise<readonly DeclaredRange[]> {
    const { stored } = this.#options;
    const [from] = await Promise.all([stored.list(serviceCidrs), this.#store()?.cache().ready(deadlineIn(fillMs))]);
    const known = this.#declared.from;
    if (from.length !== known.length || from.some((cidr, index) => cidr !== known[index])) {
      // Objects of a kind are decoded by its schema, so they have its type.
      this.#declared = { from, ranges: declaredRanges(from as readonly (KubernetesObject & ServiceCIDR)[]) };
    }
    return this.#declared.ranges;
  }

  /** The ranges as of the last call of `ranges`. */
  get declared(): readonly DeclaredRange[] {
    return this.#declared.ranges;
  }

  /** The addresses that this server knows to be allocated. */
  known(): readonly string[] {
    const store = this.#store();
    if (store === undefined) return [];
    const { entries } = store.cache().snapshot();
    return entries
      .slice(store.keyPrefix, prefixEnd(store.keyPrefix))
      .map(({ key }) => key.slice(store.keyPrefix.length));
  }

  isKnown(address: string): boolean {
    return this.#claiming.has(address) || this.#entryOf(address) !== undefined;
  }

  async claim(address: string, service: Readonly<Service>): Promise<boolean> {
    this.#claiming.add(address);
    try {
      await create(this.#operation(), newIpAddress(address, service.metadata), systemWrite);
      return true;
    } catch (error) {
      if (isReason(error, 'AlreadyExists')) return false;
      throw error;
    } finally {
      this.#claiming.delete(address);
    }
  }

  /** Releases the address. */
  async remove(address: string): Promise<void> {
    try {
      await deleteNamed(this.#operation(), address, noOptions);
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }

  async release(address: string, service: Readonly<Service>): Promise<void> {
    try {
      // If two services have the same address by mistake, it belongs to only one of them.
      const parent = parentOf(newIpAddress(address, service.metadata).spec);
      const holds = this.#parentIn(this.#entryOf(address)) === parent || (await this.#storedParent(address)) === parent;
      if (holds) await this.remove(address);
    } catch (error) {
      this.#options.onError(error);
    }
  }

  async #storedParent(address: string): Promise<string | undefined> {
    const store = this.#store();
    const { kv } = (await store?.storage.get(`${store.keyPrefix}${address}`)) ?? {};
    return store === undefined || kv === undefined ? undefined : this.#parentIn(readable(store, kv));
  }

  #parentIn(stored: StoredObject | undefined): string | undefined {
    if (stored === undefined) return undefined;
    const address = this.#store()?.codec.decode(stored) as (KubernetesObject & IPAddress) | undefined; // decoded as its kind
    return parentOf(address?.spec);
  }

  #operation(): Operation {
    const { kinds, clock, admission } = this.#options;
    const now = kinds();
    const scope = now.scopeOf('networking.k8s.io', 'v1', 'ipaddresses');
    if (scope === undefined) throw new Error('addresses of services are not stored');
    return { ...systemOperation(scope, { kinds: now, clock }), admission, deadlineMs: deadlineIn(patienceMs) };
  }

  #store(): StoreKind | undefined {
    return this.#options.kinds().scopeOf('networking.k8s.io', 'v1', 'ipaddresses')?.store;
  }

  #entryOf(address: string): CacheEntry | undefined {
    const store = this.#store();
    return store?.cache().snapshot().entries.get(`${store.keyPrefix}${address}`);
  }
}

/** Each range once. */
function declaredRanges(cidrs: readonly (KubernetesObject & ServiceCIDR)[]): readonly DeclaredRange[] {
  const declared = new Map<string, DeclaredRange>();
  for (const cidr of cidrs) {
    for (const text of cidr.spec?.cidrs ?? []) {
      const range = declared.get(text)?.range ?? ServiceRange.parse(text);
      if (range === undefined) continue;
      declared.set(text, { range, isReady: isReady(cidr) || declared.get(text)?.isReady === true });
    }
  }
  return [...declared.values()];
}
