import type { JsonObject } from '../../api/json.ts';
import { keptBy } from '../../api/kept-by.ts';
import type { KubernetesObject } from '../../api/object.ts';
import type { Schema } from '../../schema/schema.ts';
import { wireForm } from '../../schema/wire-form.ts';

const formers = keptBy((schema: Schema) =>
  keptBy((object: Readonly<KubernetesObject>): JsonObject => wireForm(schema, object as unknown as JsonObject)),
);

/** A stored object as expressions see it: what a client would read. Made once per object. */
export function wireValue({ schema }: { readonly schema: Schema }, object: Readonly<KubernetesObject>): JsonObject {
  return formers(schema)(object);
}
