import { isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { FieldSet } from './field-set.ts';
import { itemElementOrNone } from './list-items.ts';
import { type ListType, type MapType, type MergeType, shapeOf, type TypedValue } from './merge-type.ts';
import { fieldElement, type PathElement } from './path-element.ts';

/** The paths of all that a value has. */
export function toFieldSet({ type, value }: TypedValue): FieldSet {
  return readValue(type, value).children;
}

interface Owned {
  /** The value itself is owned, not only what is in it. */
  readonly self: boolean;
  readonly children: FieldSet;
}

const nothing = new FieldSet();
const itself: Owned = { self: true, children: nothing };
const nothingOwned: Owned = { self: false, children: nothing };

function readValue(type: MergeType, value: JsonValue | undefined): Owned {
  const shape = shapeOf(type, value);
  if (shape === 'map' && type.map !== undefined) return readMap(type.map, value);
  if (shape === 'list' && type.list !== undefined) return readList(type.list, value);
  return itself;
}

function readMap(map: MapType, value: JsonValue | undefined): Owned {
  if (map.atomic) return itself;
  if (!isJsonObject(value)) return nothingOwned;
  const set = new FieldSet();
  for (const key of Object.keys(value)) {
    const item = (value as Readonly<JsonObject>)[key];
    if (item === undefined) continue;
    const field = map.fieldOf(key);
    const type = field?.type ?? map.element;
    const owned = type === undefined ? nothingOwned : readValue(type, item);
    const isEmpty = item === null || (isJsonObject(item) && Object.keys(item).length === 0);
    const element = fieldElement(key);
    if (owned.self || isEmpty || field === undefined) set.insertMember(element);
    set.insertChildren(element, owned.children);
  }
  return { self: false, children: set };
}

function readList(list: ListType, value: JsonValue | undefined): Owned {
  if (!list.associative) return itself;
  if (!Array.isArray(value)) return nothingOwned;
  const elements = value.map((item) => itemElementOrNone(list, item));
  const counts = new Map<PathElement, number>();
  for (const element of elements) if (element !== undefined) counts.set(element, (counts.get(element) ?? 0) + 1);
  const set = new FieldSet();
  for (const [index, element] of elements.entries()) {
    if (element === undefined) continue;
    // Items that occur repeatedly are owned together, as a whole.
    const isRepeated = (counts.get(element) ?? 0) > 1;
    const { children } = isRepeated ? itself : readValue(list.element, value[index]);
    set.insertMember(element);
    set.insertChildren(element, children);
  }
  return { self: false, children: set };
}
