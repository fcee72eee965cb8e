import type { Strategy, UpdateStrategy } from '../registry/kinds/strategy.ts';
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
  const onUpdate = (update: UpdateStrategy): UpdateStrategy => ({
    ...update,
    prepareForUpdate(object, old, context) {
      drop(object, old);
      update.prepareForUpdate?.(object, old, context);
    },
  });
  const subresources = { status: {}, ...strategy.subresources };
  return {
    ...strategy,
    ...onUpdate(strategy),
    prepareForCreate(object, context) {
      drop(object);
      strategy.prepareForCreate?.(object, context);
    },
    subresources: Object.fromEntries(Object.entries(subresources).map(([name, update]) => [name, onUpdate(update)])),
  };
}
