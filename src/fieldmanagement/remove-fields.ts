import { bottomUp } from '../api/collections/bottom-up.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json/json.ts';
import type { FieldSet } from './field-set.ts';
import { itemElementOrNone } from './list-items.ts';
import { type ListType, type MapType, type MergeType, shapeOf, typeAt, type TypedValue } from './merge-type.ts';
import { fieldElement } from './path-element.ts';

/** `object` without the fields and items in a set. */
export function removeFields(object: TypedValue, removed: FieldSet): TypedValue {
  return { type: object.type, value: remove(object.type, object.value, removed) };
}

/** Null when nothing remains. */
const remove = bottomUp((type: MergeType, value: JsonValue | undefined, removed: FieldSet): JsonValue => {
  const shape = shapeOf(type, value);
  if (shape === 'scalar') return value ?? null;
  if (shape === 'map' && isJsonObject(value) && type.map?.atomic === false) {
    return removeFromMap(type.map, value, removed);
  }
  if (shape === 'list' && Array.isArray(value) && type.list?.associative === true) {
    return removeFromList(type.list, value, removed);
  }
  return null;
}, null);

function removeFromMap(map: MapType, value: Readonly<JsonObject>, removed: FieldSet): JsonValue {
  const kept: JsonObject = {};
  let isEmpty = true;
  for (const key of Object.keys(value)) {
    const element = fieldElement(key);
    const item = value[key];
    if (item === undefined || removed.hasMember(element)) continue;
    const within = removed.childrenOf(element);
    setOwn(kept, key, within === undefined ? item : remove(typeAt(map, key) ?? {}, item, within));
    isEmpty = false;
  }
  return isEmpty ? null : kept;
}

function removeFromList(list: ListType, value: readonly JsonValue[], removed: FieldSet): JsonValue {
  const kept: JsonValue[] = [];
  for (const item of value) {
    const element = itemElementOrNone(list, item) ?? '';
    if (removed.hasMember(element)) continue;
    const within = removed.childrenOf(element);
    kept.push(within === undefined ? item : remove(list.element, item, within));
  }
  return kept.length === 0 ? null : kept;
}
