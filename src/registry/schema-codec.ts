import { isJsonObject, type JsonObject } from '../api/json.ts';
import type { KubernetesObject } from '../api/object.ts';
import type { JsonSource } from '../api/json-tree.ts';
import { parseStored, readStored } from '../codec/stored-json.ts';
import { encodeForStorage, withResourceVersion } from '../codec/stored-object.ts';
import { decodeCleanly, decodeObject, readCleanly, readObject } from '../schema/decode.ts';
import type { Decoded } from '../schema/decode-exact.ts';
import type { Resource } from '../schema/resource.ts';
import { formatApiVersion } from '../api/group-version.ts';
import { rememberParsed } from './read-forms.ts';
import type { StoredCodec, StoredObject } from './stored-object.ts';

/** The stored form of a kind by its schema. `resource` is the record of the stored version. */
export function schemaCodec(resource: Resource): StoredCodec {
  const { schema, kind, group, version } = resource;
  const apiVersion = formatApiVersion(group, version);
  const whole = (decoded: Decoded, modRevision: number): KubernetesObject => {
    const own = isJsonObject(decoded.object['metadata']) ? decoded.object['metadata'] : {};
    const metadata = modRevision > 0 ? withResourceVersion(own, String(modRevision)) : { ...own };
    // Decoded by the schema of a stored kind, all of which have metadata.
    return { ...decoded.object, kind, apiVersion, metadata } as unknown as KubernetesObject;
  };
  const remembering = (decoded: Decoded, { value }: JsonSource, modRevision: number): KubernetesObject => {
    const object = whole(decoded, modRevision);
    if (isJsonObject(value) && value['kind'] === kind && value['apiVersion'] === apiVersion)
      rememberParsed(object, value);
    return object;
  };
  return {
    encode(object) {
      return encodeForStorage(schema, object as unknown as JsonObject);
    },
    decode({ value, modRevision }: StoredObject) {
      const source = parseStored(value);
      const clean = decodeCleanly(schema, source);
      return clean === undefined
        ? whole(decodeObject(schema, source), modRevision)
        : remembering(clean, source, modRevision);
    },
    *read({ value, modRevision }: StoredObject) {
      const source = yield* readStored(value);
      const clean = yield* readCleanly(schema, source);
      return clean === undefined
        ? whole(yield* readObject(schema, source), modRevision)
        : remembering(clean, source, modRevision);
    },
  };
}
