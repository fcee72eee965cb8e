import type { JsonObject } from '../api/json.ts';
import type { KubernetesObject } from '../api/object.ts';
import { parseStored, readStored } from '../codec/stored-json.ts';
import { encodeForStorage } from '../codec/stored-object.ts';
import { decodeObject, readObject } from '../schema/decode.ts';
import type { Resource } from '../schema/resource.ts';
import { formatApiVersion } from '../api/group-version.ts';
import type { StoredCodec, StoredObject } from './stored-object.ts';

/** The stored form of a kind by its schema. `resource` is the record of the stored version. */
export function schemaCodec(resource: Resource): StoredCodec {
  const { schema, kind, group, version } = resource;
  const apiVersion = formatApiVersion(group, version);
  const whole = (decoded: JsonObject, modRevision: number): KubernetesObject => {
    const metadata = { ...(decoded['metadata'] as JsonObject | undefined) };
    if (modRevision > 0) metadata['resourceVersion'] = String(modRevision);
    // Decoded by the schema of a stored kind, all of which have metadata.
    return { ...decoded, kind, apiVersion, metadata } as unknown as KubernetesObject;
  };
  return {
    encode(object) {
      return encodeForStorage(schema, object as unknown as JsonObject);
    },
    decode({ value, modRevision }: StoredObject) {
      return whole(decodeObject(schema, parseStored(value)).object, modRevision);
    },
    *read({ value, modRevision }: StoredObject) {
      const { object } = yield* readObject(schema, yield* readStored(value));
      return whole(object, modRevision);
    },
  };
}
