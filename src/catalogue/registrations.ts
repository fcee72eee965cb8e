import type { VersionPriority } from './kind-entry.ts';

/** A group version of this server, or of none, whose stored APIService is not the one that this server has made. */
export interface Registration {
  readonly group: string;
  readonly version: string;
  /** Of its APIService; undefined if that has been deleted. */
  readonly priority: VersionPriority | undefined;
}

/** By the name of the APIService, such as `v1.apps`. Empty unless somebody has changed APIServices. */
export type Registrations = ReadonlyMap<string, Registration>;

export const noRegistrations: Registrations = new Map();
