import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { UnservedObjects } from '../../registry/unserved-objects.ts';

/** Which servers of a store are alive, by the addresses that others reach them at. */
export interface ServerLeases {
  renew(address: string): Promise<void>;
  /** False when there was none. */
  remove(address: string): Promise<boolean>;
  list(): Promise<readonly string[]>;
}

/** A server that has not been heard of for so long is gone. */
const leaseSeconds = 15;

/** One object for each server, which vanishes unless it is written again: as kube-apiserver keeps them under `/registry/masterleases/`. */
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
      // A write that changes nothing would not be one.
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

/** The only server that its store can have: nobody else would read what it writes. */
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
