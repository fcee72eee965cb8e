import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../api/client/client.ts';
import { isReason } from '../api/errors/status.ts';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { type ApiService, apiServiceOf, apiServices } from './api-service.ts';
import { automanagedLabel, newService, wantedService, type WantedService, wantedServices } from './wanted-services.ts';

/** The custom kinds of the store. */
export interface StoredKinds {
  /** Whether the catalogue has all of them. */
  readonly isComplete: boolean;
  /** Resolves when it has. */
  readonly settled: Promise<void>;
}

export interface RegistrationOptions {
  readonly client: Client;
  readonly catalogue: LiveCatalogue;
  readonly definitions: StoredKinds;
}

const all = { ...apiServices, namespace: '' };

/**
 * Writes the APIServices of what this server serves itself, as kube-apiserver does:
 *
 * | stored                              | not wanted  | wanted on start | wanted always |
 * |-------------------------------------|-------------|-----------------|---------------|
 * | none                                |             | created once    | created       |
 * | not managed                         |             |                 |               |
 * | on start, made after the start      |             |                 |               |
 * | on start, made before               | deleted once | put right once | put right once |
 * | always                              | deleted     | put right once  | put right     |
 */
export class Registration {
  readonly #options: RegistrationOptions;
  /** Stored when this server first read them. */
  readonly #atStart = new Set<string>();
  readonly #settled = new Set<string>();

  constructor(options: RegistrationOptions) {
    this.#options = options;
  }

  /** Writes what is missing or wrong. */
  async begin(): Promise<void> {
    const { items } = await this.#options.client.list(all);
    const stored = new Map(items.map((object) => [object.metadata.name ?? '', apiServiceOf(object)]));
    for (const name of stored.keys()) this.#atStart.add(name);
    const names = new Set([...stored.keys(), ...wantedServices(this.#options.catalogue.current).keys()]);
    await Promise.all([...names].map((name) => this.settle(name, stored.get(name))));
  }

  /** Writes one of them, if needed. */
  async settle(name: string, stored: ApiService | undefined): Promise<void> {
    const wanted = wantedService(this.#options.catalogue.current, name);
    // A definition that is not known yet may want it.
    if (wanted === undefined && !this.#options.definitions.isComplete) return;
    await this.#write(name, stored, wanted);
    this.#settled.add(name);
  }

  async #write(name: string, stored: ApiService | undefined, wanted: WantedService | undefined): Promise<void> {
    if (stored === undefined && wanted === undefined) return;
    if (wanted?.management === 'onstart' && this.#settled.has(name)) return;
    const { client } = this.#options;
    if (stored === undefined) {
      if (wanted !== undefined) await unlessRaced(client.create(apiServices, newService(name, wanted)));
      return;
    }
    if (!this.#isOurs(name, stored)) return;
    const { uid = '' } = stored.metadata;
    if (wanted === undefined) await unlessRaced(client.delete({ ...all, name }, { preconditions: { uid } }));
    else if (!isDeepStrictEqual({ ...stored.spec }, wanted.spec))
      await unlessRaced(client.update(apiServices, { ...stored, spec: { ...wanted.spec } }));
  }

  #isOurs(name: string, { metadata: { labels = {} } }: ApiService): boolean {
    const management = labels[automanagedLabel];
    if (management === 'onstart') return this.#atStart.has(name) && !this.#settled.has(name);
    return management === 'true';
  }
}

/** The first writer has caused an event that leads back here. */
async function unlessRaced(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(['AlreadyExists', 'NotFound', 'Conflict'] as const).some((reason) => isReason(error, reason))) throw error;
  }
}
