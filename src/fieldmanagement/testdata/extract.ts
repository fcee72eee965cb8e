import { bottomUp } from '../../api/collections/bottom-up.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../api/json/json.ts';
import { FieldSet } from '../field-set.ts';
import { itemElementOrNone } from '../list-items.ts';
import { type ListType, type MapType, type MergeType, shapeOf, typeAt, type TypedValue } from '../merge-type.ts';
import { fieldElement, keyNamesOf, type PathElement } from '../path-element.ts';
import { toFieldSet } from '../to-field-set.ts';

/** `object` with only the fields and items in a set. */
export function extractFields(object: TypedValue, wanted: FieldSet): TypedValue {
  return { type: object.type, value: extract(object.type, object.value, wanted) };
}

/** `object` with only the fields and items in a set, and the key fields of items on the way. */
export function extractWithKeys(object: TypedValue, wanted: FieldSet): TypedValue {
  const present = toFieldSet(object);
  const keys = new FieldSet();
  for (const path of wanted.paths()) {
    if (!present.has(path)) continue;
    for (const [index, element] of path.entries()) {
      for (const name of keyNamesOf(element)) keys.insert([...path.slice(0, index + 1), fieldElement(name)]);
    }
  }
  return extractFields(object, wanted.union(keys));
}

const extract = bottomUp((type: MergeType, value: JsonValue | undefined, wanted: FieldSet): JsonValue => {
  const shape = shapeOf(type, value);
  if (shape === 'scalar') return value ?? null;
  if (shape === 'map' && isJsonObject(value)) {
    return type.map?.atomic === true || Object.keys(value).length === 0
      ? value
      : extractFromMap(type.map, value, wanted);
  }
  if (shape === 'list' && Array.isArray(value)) {
    return type.list?.associative !== true || value.length === 0 ? value : extractFromList(type.list, value, wanted);
  }
  return null;
}, null);

function extractFromMap(map: MapType | undefined, value: Readonly<JsonObject>, wanted: FieldSet): JsonValue {
  const kept: JsonObject = {};
  let isEmpty = true;
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item === undefined) continue;
    const within = selected(wanted, fieldElement(key));
    if (within === undefined) continue;
    setOwn(kept, key, extract((map && typeAt(map, key)) ?? {}, item, within));
    isEmpty = false;
  }
  return isEmpty ? null : kept;
}

function extractFromList(list: ListType, value: readonly JsonValue[], wanted: FieldSet): JsonValue {
  const kept: JsonValue[] = [];
  for (const item of value) {
    const element = itemElementOrNone(list, item) ?? '';
    const within = wanted.childrenOf(element);
    if (within !== undefined) kept.push(extract(list.element, item, within));
    else if (wanted.hasMember(element)) kept.push(item);
  }
  return kept.length === 0 ? null : kept;
}

/** The part of the set for one element. A member is extracted with the whole enclosing set, as in the reference. */
function selected(wanted: FieldSet, element: PathElement): FieldSet | undefined {
  return wanted.hasMember(element) ? wanted : wanted.childrenOf(element);
}
