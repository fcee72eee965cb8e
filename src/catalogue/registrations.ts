import type { VersionPriority } from './kind-entry.ts';

/** A group version that no other server serves, and whose APIService is not as this server has made it. */
export interface Registration {
  readonly group: string;
  readonly version: string;
  /** The priority of the version's APIService; undefined if that has been deleted. */
  readonly priority: VersionPriority | undefined;
}

/** By the name of the APIService, such as `v1.apps`. Empty unless somebody has changed APIServices. */
export type Registrations = ReadonlyMap<string, Registration>;

export const noRegistrations: Registrations = new Map();
