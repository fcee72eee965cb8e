import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import type { UnservedObjects } from '../registry/stored/unserved-objects.ts';

/** The live servers of a store, by advertised address. */
export interface ServerLeases {
  renew(address: string): Promise<void>;
  /** False if there was none. */
  remove(address: string): Promise<boolean>;
  list(): Promise<readonly string[]>;
}

/** A server silent for this long is gone. */
const leaseSeconds = 15;

/**
 * One expiring object per server, renewed by rewriting it, as kube-apiserver keeps them under
 * `/registry/masterleases/`.
 */
export class StoredLeases implements ServerLeases {
  readonly #objects: UnservedObjects;
  readonly #prefix: string;

  /** `prefix` ends with a slash. */
  constructor(objects: UnservedObjects, prefix: string) {
    this.#objects = objects;
    this.#prefix = prefix;
  }

  async renew(address: string): Promise<void> {
    const key = `${this.#prefix}${address}`;
    for (;;) {
      const { object, modRevision: expected } = await this.#objects.read(key);
      // A write without a change would be skipped.
      const metadata = { generation: generationOf(object) + 1 };
      const renewed = { metadata, subsets: [{ addresses: [{ ip: address }] }] };
      const options = { expected, ttlSeconds: leaseSeconds };
      if ((await this.#objects.replace(key, renewed, options)) !== undefined) return;
    }
  }

  remove(address: string): Promise<boolean> {
    return this.#objects.delete(`${this.#prefix}${address}`);
  }

  async list(): Promise<readonly string[]> {
    return (await this.#objects.list(this.#prefix)).flatMap(addressOf);
  }
}

/** For a store that only one server can use: no other server could read the leases. */
export class SoleLease implements ServerLeases {
  readonly #addresses = new Set<string>();

  renew(address: string): Promise<void> {
    this.#addresses.add(address);
    return Promise.resolve();
  }

  remove(address: string): Promise<boolean> {
    return Promise.resolve(this.#addresses.delete(address));
  }

  list(): Promise<readonly string[]> {
    return Promise.resolve([...this.#addresses]);
  }
}

function generationOf(object: JsonObject | undefined): number {
  const { metadata } = object ?? {};
  const generation = isJsonObject(metadata) ? metadata['generation'] : 0;
  return typeof generation === 'number' ? generation : 0;
}

function addressOf(lease: JsonObject): string[] {
  const address = itemOf(itemOf(lease, 'subsets'), 'addresses')?.['ip'];
  return typeof address === 'string' && address !== '' ? [address] : [];
}

function itemOf(object: JsonObject | undefined, list: string): JsonObject | undefined {
  const items: JsonValue | undefined = object?.[list];
  const first = Array.isArray(items) ? items[0] : undefined;
  return isJsonObject(first) ? first : undefined;
}
