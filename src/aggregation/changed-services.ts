import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { Registration } from '../catalogue/registrations.ts';
import { type ApiService, apiServices } from './api-service.ts';
import { automanagedLabel, wantedService, type WantedService } from './wanted-services.ts';

/**
 * Maintains the catalogue's registrations: stored APIServices without a server of their own that differ from what this
 * server has made, and those that users have deleted.
 */
export class ChangedServices {
  readonly #catalogue: LiveCatalogue;
  /** Names of those that are not written again before the next start. */
  readonly #removed = new Set<string>();

  constructor(catalogue: LiveCatalogue) {
    this.#catalogue = catalogue;
  }

  removed(name: string): void {
    if (wantedService(this.#catalogue.current, name)?.management === 'onstart') this.#removed.add(name);
  }

  update(name: string, stored: ApiService | undefined): void {
    if (stored !== undefined) this.#removed.delete(name);
    const { current } = this.#catalogue;
    const wanted = wantedService(current, name);
    const before = current.registrations.get(name);
    const after = stored === undefined ? this.#absent(name, wanted) : changed(stored, wanted);
    if (isSame(before, after)) return;
    const registrations = new Map(current.registrations);
    if (after === undefined) registrations.delete(name);
    else registrations.set(name, after);
    this.#catalogue.change({ registrations });
  }

  /** An APIService that was never there, or that is written again at once, leaves everything as it is. */
  #absent(name: string, wanted: WantedService | undefined): Registration | undefined {
    if (wanted === undefined || !this.#removed.has(name)) return undefined;
    const { group = '', version } = wanted.spec;
    return { group, version, priority: undefined };
  }
}

function changed({ metadata, spec }: ApiService, wanted: WantedService | undefined): Registration | undefined {
  const { group = '', version = '', service, groupPriorityMinimum = 0, versionPriority = 0 } = spec;
  // The server's own group is always the first, and no APIService changes it.
  if (service !== undefined || group === '' || group === apiServices.group) return undefined;
  // About to be put right.
  if (metadata.labels?.[automanagedLabel] === 'true') return undefined;
  const isWanted =
    wanted?.spec.groupPriorityMinimum === groupPriorityMinimum && wanted.spec.versionPriority === versionPriority;
  return isWanted ? undefined : { group, version, priority: { group: groupPriorityMinimum, version: versionPriority } };
}

function isSame(a: Registration | undefined, b: Registration | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.priority?.group === b.priority?.group && a.priority?.version === b.priority?.version;
}
