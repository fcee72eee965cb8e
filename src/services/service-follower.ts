import type { KubernetesObject } from '../api/meta/object.ts';
import { pause } from '../api/scheduling/pause.ts';
import type { StoredCollection } from '../api/contracts/stored-objects.ts';
import type { StoreKind } from '../registry/stored/store-kind.ts';
import type { StoredAddress } from '../resources/core/service/allocation/address-repair.ts';
import { addressesOf } from '../resources/core/service/allocation/cluster-ips.ts';
import type { Service } from '../resources/core/service/allocation/service-needs.ts';
import {
  addressManager,
  managerLabel,
  newIpAddress,
  parentOf,
} from '../resources/networking/ip-address/service-address.ts';
import type { WatchEvent } from '../watchcache/cache-event.ts';
import type { ResourceScopes } from '../scopes/resource-scopes.ts';
import { watchEntries } from '../client/watch-entries.ts';

export interface ServiceFollowerOptions {
  readonly scopes: ResourceScopes;
  /** Called on an inconsistency: everything should be checked. */
  readonly notice: () => void;
  readonly onError: (error: unknown) => void;
}

export const allServices: StoredCollection = { group: '', version: 'v1', plural: 'services' };
export const allAddresses: StoredCollection = { group: 'networking.k8s.io', version: 'v1', plural: 'ipaddresses' };

/** Events of the two kinds may arrive in either order. */
const settleMs = 1_000;
const pauseMs = 1_000;

/** Watches services and addresses, and reports those that do not match. */
export class ServiceFollower implements AsyncDisposable {
  readonly #options: ServiceFollowerOptions;
  readonly #stop = new AbortController();
  readonly #following: Promise<unknown>;
  /** Keys of services whose addresses do not seem to be allocated to them. */
  readonly #suspects = new Set<string>();
  #settling = false;

  constructor(options: ServiceFollowerOptions) {
    this.#options = options;
    this.#following = Promise.all([
      this.#follow(allServices, (store, event) => this.#noticeService(store, event)),
      this.#follow(allAddresses, (store, event) => this.#noticeAddress(store, event)),
    ]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#following;
  }

  async #follow(kind: StoredCollection, handle: (store: StoreKind, event: WatchEvent) => Promise<void>): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        const store = this.#storeOf(kind);
        await store.cache().ready();
        const resourceVersion = String(store.cache().snapshot().revision);
        const watch = { scope: { kind: 'all' }, resourceVersion, signal, item: (event: WatchEvent) => event } as const;
        for await (const event of watchEntries(store.cache(), watch)) await handle(store, event);
      } catch (error) {
        if (!signal.aborted) this.#options.onError(error);
      }
      await pause(pauseMs, signal);
      // Events may have been missed.
      if (!signal.aborted) this.#options.notice();
    }
  }

  #storeOf({ group, version, plural }: StoredCollection): StoreKind {
    const store = this.#options.scopes.now.scopeOf(group, version, plural)?.store;
    if (store === undefined) throw new Error(`${plural} are not served`);
    return store;
  }

  async #noticeService(store: StoreKind, { type, entry }: WatchEvent): Promise<void> {
    if (type === 'DELETED' || this.#fits(store.codec.decode(entry))) return;
    this.#suspects.add(entry.key);
    if (this.#settling) return;
    this.#settling = true;
    setTimeout(() => void this.#checkAgain().catch(this.#options.onError), settleMs).unref();
  }

  async #checkAgain(): Promise<void> {
    this.#settling = false;
    const store = this.#storeOf(allServices);
    const { entries } = store.cache().snapshot();
    const left = [...this.#suspects].flatMap((key) => entries.get(key) ?? []);
    this.#suspects.clear();
    for (const entry of left) {
      if (this.#fits(store.codec.decode(entry))) continue;
      this.#options.notice();
      return;
    }
  }

  #fits(object: KubernetesObject): boolean {
    const { spec = {}, metadata } = object as KubernetesObject & Service; // decoded as its kind
    const store = this.#storeOf(allAddresses);
    const { entries } = store.cache().snapshot();
    return addressesOf(spec).every((address) => {
      const entry = entries.get(`${store.keyPrefix}${address}`);
      if (entry === undefined) return false;
      const holder = store.codec.decode(entry) as StoredAddress; // decoded as its kind
      return parentOf(holder.spec) === parentOf(newIpAddress(address, metadata).spec);
    });
  }

  /**
   * Reports an address that does not belong to a service; one whose service has yet to be written is found by the
   * regular passes.
   */
  async #noticeAddress(store: StoreKind, { type, entry }: WatchEvent): Promise<void> {
    if (type === 'DELETED') return;
    const { metadata, spec } = store.codec.decode(entry) as StoredAddress; // decoded as its kind
    const { group = '', resource = '' } = spec?.parentRef ?? {};
    if (metadata.labels?.[managerLabel] !== addressManager) return;
    if (group !== '' || resource !== 'services') this.#options.notice();
  }
}
