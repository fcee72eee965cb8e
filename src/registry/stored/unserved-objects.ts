import { isJsonObject, type JsonObject } from '../../api/json/json.ts';
import { decodeProtobuf } from '../../codec/protobuf/decode.ts';
import { encodeEnvelope, readEnvelope } from '../../codec/protobuf/envelope.ts';
import { parseStored } from '../../codec/stored-json.ts';
import { encodeForStorage } from '../../codec/stored-object.ts';
import { decodeObject } from '../../schema/decode.ts';
import type { Schema } from '../../schema/schema.ts';
import { prefixEnd, type Storage } from '../../storage/contract.ts';
import { protobufMark, type StoreFormat, startsWith } from './stored-values.ts';

export interface UnservedObjectsOptions {
  readonly storage: Storage;
  readonly encoding: StoreFormat['encoding'];
  /** The kind by which other servers of the store know the objects. */
  readonly type: { readonly apiVersion: string; readonly kind: string };
  readonly schema: Schema;
}

export interface UnservedState {
  /** Undefined if absent. */
  readonly object: JsonObject | undefined;
  /** 0 if absent. */
  readonly modRevision: number;
}

/** Objects without an API path, in the usual format: the servers of a store share state through them. */
export class UnservedObjects {
  readonly #options: UnservedObjectsOptions;

  constructor(options: UnservedObjectsOptions) {
    this.#options = options;
  }

  async read(key: string): Promise<UnservedState> {
    const { kv } = await this.#options.storage.get(key);
    if (kv === undefined) return { object: undefined, modRevision: 0 };
    return { object: this.#decode(kv.value), modRevision: kv.modRevision };
  }

  async list(prefix: string): Promise<readonly JsonObject[]> {
    const { kvs } = await this.#options.storage.range({ start: prefix, end: prefixEnd(prefix) });
    return kvs.map(({ value }) => this.#decode(value));
  }

  /** Returns the revision written; undefined if the object is not at revision `expected`. */
  async replace(
    key: string,
    object: JsonObject,
    { expected, ttlSeconds }: { readonly expected: number; readonly ttlSeconds?: number },
  ): Promise<number | undefined> {
    const { storage, encoding, type, schema } = this.#options;
    const whole = { kind: type.kind, apiVersion: type.apiVersion, metadata: {}, ...object };
    const value = encoding === 'json' ? encodeForStorage(schema, whole) : encodeEnvelope(type, schema, whole);
    const ttl = ttlSeconds === undefined ? {} : { ttlSeconds };
    const result = await storage.put({ key, value, expectedModRevision: expected, ...ttl });
    return result.succeeded ? result.revision : undefined;
  }

  /** False if absent. */
  async delete(key: string): Promise<boolean> {
    const { storage } = this.#options;
    for (;;) {
      const { kv } = await storage.get(key);
      if (kv === undefined) return false;
      const { succeeded } = await storage.delete({ key, expectedModRevision: kv.modRevision });
      if (succeeded) return true;
    }
  }

  #decode(value: Uint8Array): JsonObject {
    const { schema } = this.#options;
    if (startsWith(value, protobufMark)) return decodeProtobuf(schema, readEnvelope(value).raw);
    const source = parseStored(value);
    if (!isJsonObject(source.value)) throw new Error('unknown encoding of a stored object');
    return decodeObject(schema, source).object;
  }
}

export class UnservedObject {
  readonly #objects: UnservedObjects;
  readonly #key: string;

  constructor(objects: UnservedObjects, key: string) {
    this.#objects = objects;
    this.#key = key;
  }

  read(): Promise<UnservedState> {
    return this.#objects.read(this.#key);
  }

  replace(object: JsonObject, expected: number): Promise<number | undefined> {
    return this.#objects.replace(this.#key, object, { expected });
  }
}
