import { formatApiVersion } from '../api/meta/group-version.ts';
import type { Converter } from '../registry/kinds/conversion.ts';
import type { Schema } from '../schema/schema.ts';
import { prunedValue } from '../schema/custom/pruned-value.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { keepNotes } from '../api/json/written-notes.ts';

/**
 * The None strategy: only apiVersion changes, and fields unknown to the target version are pruned. Versions without a
 * schema here keep everything.
 */
export function sameInAllVersions(schemaOf: (version: string) => Schema | undefined): Converter {
  return {
    waits: false,
    convert: (objects, { group, version }) =>
      objects.map((object) => {
        const schema = schemaOf(version);
        const named = keepNotes(object, { ...object, apiVersion: formatApiVersion(group, version) });
        // Objects are JSON-shaped.
        return schema === undefined ? named : (prunedValue(schema, named) as KubernetesObject);
      }),
  };
}
