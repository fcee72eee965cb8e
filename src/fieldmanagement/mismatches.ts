import type { ListType, MergeType, TypedValue } from './merge-type.ts';
import { typedValue } from './validate.ts';

/** Whether decoded values of a type may not fit it; undefined while being computed (recursive types). */
const known = new WeakMap<MergeType, boolean | undefined>();

/**
 * Types a decoded value. The decoder does not check that list items have any of their key fields, so only types with
 * such lists are validated. Throws a TypedValueError.
 */
export function decodedValue(type: MergeType, value: TypedValue['value']): TypedValue {
  return mayMismatch(type) ? checkedValue(type, value) : { type, value };
}

/** Types a value that may not fit its type. Throws a TypedValueError. */
export function checkedValue(type: MergeType, value: TypedValue['value']): TypedValue {
  return typedValue(type, value, { allowDuplicates: true });
}

function mayMismatch(type: MergeType): boolean {
  // A recursive reference adds nothing.
  if (known.has(type)) return known.get(type) === true;
  known.set(type, undefined);
  const { list, map } = type;
  const inList = list !== undefined && (hasLooseKeys(list) || mayMismatch(list.element));
  const inMap = map !== undefined && map.element !== undefined && mayMismatch(map.element);
  const result =
    inList || inMap || (map !== undefined && [...map.fieldNames()].some((name) => mismatchesIn(type, name)));
  known.set(type, result);
  return result;
}

function mismatchesIn({ map }: MergeType, name: string): boolean {
  const field = map?.fieldOf(name);
  return field !== undefined && mayMismatch(field.type);
}

/** No key field has a default, so an item may lack all of them. */
function hasLooseKeys({ associative, keys, element }: ListType): boolean {
  return associative && keys.length > 0 && keys.every((key) => element.map?.fieldOf(key)?.default === undefined);
}
