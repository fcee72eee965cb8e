import type { Service } from './service-needs.ts';
import type { ServiceRange } from './service-range.ts';

/** A range with what is known of those who declare it. */
export interface DeclaredRange {
  readonly range: ServiceRange;
  /** Addresses may be given out of it: one of those who declare it is ready and stays. */
  readonly isReady: boolean;
}

/** How an address was come by: asked for by its number (`static`), or any of a range. */
export interface Claim {
  readonly range: ServiceRange;
  readonly scope: 'static' | 'dynamic';
}

/** Which addresses services have, in all servers of the store. */
export interface AddressRegister {
  ranges(): Promise<readonly DeclaredRange[]>;
  /** What this server knows to be taken; others may have taken more. Call `ranges` first. */
  isKnown(address: string): boolean;
  /** Gives the address to the service; false when it is taken. */
  claim(address: string, service: Readonly<Service>, claim: Claim): Promise<boolean>;
  /** Does not throw: what cannot be given back now is found later. */
  release(address: string, service: Readonly<Service>): Promise<void>;
}
