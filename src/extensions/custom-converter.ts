import { formatApiVersion } from '../api/group-version.ts';
import type { Converter } from '../registry/conversion.ts';
import type { Schema } from '../schema/schema.ts';
import { prunedValue } from '../schema/custom/free-value.ts';
import type { JsonValue } from '../api/json.ts';
import type { KubernetesObject } from '../api/object.ts';

/** Objects that are the same in all versions, but for what the schema of a version does not know; those without a schema here keep all. */
export function sameInAllVersions(schemaOf: (version: string) => Schema | undefined): Converter {
  return {
    waits: false,
    convert: (objects, { group, version }) =>
      objects.map((object) => {
        const schema = schemaOf(version);
        const named = { ...object, apiVersion: formatApiVersion(group, version) };
        // Objects are JSON-shaped.
        return schema === undefined
          ? named
          : (prunedValue(schema, named as unknown as JsonValue) as unknown as KubernetesObject);
      }),
  };
}
