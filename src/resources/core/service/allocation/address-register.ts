import type { Service } from './service-needs.ts';
import type { ServiceRange } from './service-range.ts';

/** A range and the state of the ServiceCIDRs that declare it. */
export interface DeclaredRange {
  readonly range: ServiceRange;
  /** Addresses can be allocated from it: some ServiceCIDR that declares it is ready and not being deleted. */
  readonly isReady: boolean;
}

/** How an address was allocated: on request (`static`) or from a range. */
export interface Claim {
  readonly range: ServiceRange;
  readonly scope: 'static' | 'dynamic';
}

/** The addresses allocated to services, shared by all servers of the store. */
export interface AddressRegister {
  ranges(): Promise<readonly DeclaredRange[]>;
  /** Whether this server knows the address to be taken; other servers may have taken more. Call `ranges` first. */
  isKnown(address: string): boolean;
  /** Allocates the address to the service; false if it is taken. */
  claim(address: string, service: Readonly<Service>, claim: Claim): Promise<boolean>;
  /** Does not throw: repair later finds addresses that could not be released. */
  release(address: string, service: Readonly<Service>): Promise<void>;
}
