import { bottomUp } from '../api/collections/bottom-up.ts';
import { isJsonObject, type JsonValue } from '../api/json/json.ts';
import { emptySet, FieldSet } from './field-set.ts';
import { itemElementOrNone } from './list-items.ts';
import { type ListType, type MapType, type MergeType, shapeOf, type TypedValue } from './merge-type.ts';
import { fieldElement, type PathElement } from './path-element.ts';

/** The field paths of everything in a value. */
export function toFieldSet({ type, value }: TypedValue): FieldSet {
  return pathsIn(type, value) ?? emptySet;
}

/** Undefined for a value that is owned as a whole. */
const pathsIn = bottomUp<[MergeType, JsonValue | undefined], FieldSet | undefined>((type, value) => {
  const shape = shapeOf(type, value);
  if (shape === 'map' && type.map !== undefined) return pathsInMap(type.map, value);
  if (shape === 'list' && type.list !== undefined) return pathsInList(type.list, value);
  return undefined;
}, undefined);

function pathsInMap(map: MapType, value: JsonValue | undefined): FieldSet | undefined {
  if (map.atomic || isEmptyObject(value)) return undefined;
  const paths = new FieldSet();
  if (!isJsonObject(value)) return paths;
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item === undefined) continue;
    const field = map.fieldOf(key);
    const type = field?.type ?? map.element;
    const children = type === undefined ? undefined : pathsIn(type, item);
    // A key of a map is owned along with what is in it.
    const member = field === undefined || item === null || children === undefined;
    paths.put(fieldElement(key), member, children);
  }
  return paths;
}

function pathsInList(list: ListType, value: JsonValue | undefined): FieldSet | undefined {
  if (!list.associative || isEmptyObject(value)) return undefined;
  const items = new Map<PathElement, JsonValue>();
  for (const item of Array.isArray(value) ? value : []) {
    const element = itemElementOrNone(list, item);
    // Duplicate items are owned together, as a whole.
    if (element !== undefined) items.set(element, items.has(element) ? null : item);
  }
  const paths = new FieldSet();
  for (const [element, item] of items) {
    paths.put(element, true, item === null ? undefined : pathsIn(list.element, item));
  }
  return paths;
}

function isEmptyObject(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}
