import type { Clock } from '../../api/time/clock.ts';
import { isJsonObject, type JsonObject } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { plainError } from '../../api/errors/status-errors.ts';
import type { Renewal } from '../../watchcache/cache-entry.ts';
import type { JsonSource } from '../../api/json/json-tree.ts';
import { parseStored } from '../../codec/stored-json.ts';
import { encodeForStorage, withResourceVersion } from '../../codec/stored-object.ts';
import { prunedValue } from '../../schema/custom/pruned-value.ts';
import { repairedObject } from '../../schema/custom/repaired-object.ts';
import { decodeCleanly, decodeObject, decodePlain } from '../../schema/decode.ts';
import { DecodeError } from '../../schema/decode-errors.ts';
import type { Schema } from '../../schema/schema.ts';
import { applyDefaults } from '../../schema/default.ts';
import type { Defaulters } from '../../schema/defaulters.ts';
import type { Decoded } from '../../schema/decode-exact.ts';
import type { Resource } from '../../schema/resource.ts';
import { isUnstructuredKind } from '../../schema/unstructured.ts';
import { formatApiVersion } from '../../api/meta/group-version.ts';
import {
  decodeKnown,
  decodeKnownMetadata,
  encodeNoting,
  readForChange,
  type StateForms,
  withZeroTimes,
} from './state-codec.ts';
import { type DecodedFor, type PlainCodec, type StoredObject, versionOf } from './stored-object.ts';

/** Encodes stored objects by the schema of the kind. `resource` is the record of the storage version. */
export function schemaCodec(resource: Resource): PlainCodec {
  const { kind, group, version } = resource;
  const apiVersion = formatApiVersion(group, version);
  const complete = (object: JsonObject, stored: StoredObject): KubernetesObject => {
    const own = isJsonObject(object['metadata']) ? object['metadata'] : {};
    const version = versionOf(stored);
    const metadata: JsonObject = version === undefined ? { ...own } : withResourceVersion(own, version);
    // Servers before 1.12 did not count.
    if (resource.schema.definition !== undefined) metadata['generation'] ??= 1;
    // Decoded by the schema of a stored kind, all of which have metadata.
    return { ...object, kind, apiVersion, metadata } as KubernetesObject;
  };
  const states: StateForms = {
    schema: () => resource.schema,
    isOwn: (value) => value['kind'] === kind && value['apiVersion'] === apiVersion,
    complete,
  };
  const whole = (decoded: Decoded, { value }: JsonSource, stored: StoredObject): KubernetesObject =>
    complete(withZeroTimes(resource.schema, { decoded: decoded.object, value }, stored), stored);
  const clean = (decoded: Decoded, source: JsonSource, { stored, purpose }: DecodeRequest): KubernetesObject => {
    const { value } = source;
    return purpose === 'change' && isJsonObject(value) && states.isOwn(value)
      ? readForChange(states, { decoded: decoded.object, value }, stored)
      : whole(decoded, source, stored);
  };
  const knownObject = (stored: StoredObject, purpose: DecodedFor | undefined): KubernetesObject | undefined => {
    if (purpose === 'change') return decodeKnown(states, stored);
    return purpose === 'metadata' ? decodeKnownMetadata(states, stored) : undefined;
  };
  // Custom resources: fields that only other versions know are not stored.
  const kept = (value: Readonly<KubernetesObject>): JsonObject => {
    const { schema } = resource;
    if (schema.definition === undefined) return value;
    return prunedValue(schema, value, { mismatch: () => refuseMismatches(schema, value) }) as JsonObject; // of an object
  };
  return {
    encode(object, read) {
      const { schema } = resource;
      if (isUnstructuredKind(resource)) return encodeForStorage(schema, kept(object));
      return encodeNoting(states, object, read);
    },
    decode(stored, purpose) {
      const { schema } = resource;
      const known = isUnstructuredKind(resource) ? undefined : knownObject(stored, purpose);
      if (known !== undefined) return known;
      const source = parseStored(stored.value);
      const decoded = decodeCleanly(schema, source);
      if (decoded !== undefined) return clean(decoded, source, { stored, purpose });
      const exactly = orRepaired(schema, source, () => decodeObject(schema, source));
      return whole(exactly, source, stored);
    },
  };
}

/** An object is not stored in a version that it does not fit. */
function refuseMismatches(schema: Schema, value: JsonObject): void {
  try {
    decodePlain(schema, value);
  } catch (error) {
    throw error instanceof DecodeError ? plainError(error.message) : error;
  }
}

interface DecodeRequest {
  readonly stored: StoredObject;
  readonly purpose: DecodedFor | undefined;
}

/** Custom objects are read whatever stands in their metadata. */
function orRepaired(schema: Schema, { value }: JsonSource, decode: () => Decoded): Decoded {
  try {
    return decode();
  } catch (error) {
    if (schema.definition === undefined || !(error instanceof DecodeError)) throw error;
    return decodePlain(schema, repairedObject(schema, value));
  }
}

/** The codec of a kind that may have got defaults after objects were stored. */
export function defaultingCodec(resource: Resource, defaulters: Defaulters, clock: Clock): PlainCodec {
  const codec = schemaCodec(resource);
  return {
    encode: (object, read) => codec.encode(object, read),
    // Never for a change: what is remembered would get the defaults as well.
    decode(stored) {
      const object = codec.decode(stored);
      applyDefaults(resource.schema, object, defaulters, clock);
      return object;
    },
  };
}

/** Rewrites a stored value as `codec` would encode it now. */
export function renewalBy(codec: PlainCodec): Renewal {
  return (value) => {
    const renewed = codec.encode(codec.decode({ value, modRevision: 0 }));
    return renewed.equals(value) ? value : renewed;
  };
}
