import type { JsonObject } from '../api/json.ts';
import type { KubernetesObject } from '../api/object.ts';
import type { Strategy, UpdateStrategy } from '../registry/strategy.ts';
import { type DropGatedFields, dropGatedFields, type FieldsOff } from '../schema/gated-fields.ts';
import type { Schema } from '../schema/schema.ts';

/** Wraps a strategy so that writes first drop the fields of disabled feature gates. */
export function withoutGatedFields(strategy: Strategy, schema: Schema, off: FieldsOff): Strategy {
  // Searched on the first write: the search walks the kind's whole type tree.
  let found: { readonly drop: DropGatedFields | undefined } | undefined;
  const drop: DropGatedFields = (object, old) => {
    found ??= { drop: dropGatedFields(schema, off) };
    found.drop?.(object, old);
  };
  // Decoded objects are JSON.
  const json = (object: Readonly<KubernetesObject>): JsonObject => object as unknown as JsonObject;
  const onUpdate = (update: UpdateStrategy): UpdateStrategy => ({
    ...update,
    prepareForUpdate(object, old, context) {
      drop(json(object), json(old));
      update.prepareForUpdate?.(object, old, context);
    },
  });
  const subresources = { status: {}, ...strategy.subresources };
  return {
    ...strategy,
    ...onUpdate(strategy),
    prepareForCreate(object, context) {
      drop(json(object));
      strategy.prepareForCreate?.(object, context);
    },
    subresources: Object.fromEntries(Object.entries(subresources).map(([name, update]) => [name, onUpdate(update)])),
  };
}
