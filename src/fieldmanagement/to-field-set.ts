import { isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import type { Work } from '../api/turns.ts';
import { Visits } from '../api/visits.ts';
import { FieldSet } from './field-set.ts';
import { itemElementOrNone } from './list-items.ts';
import { type ListType, type MapType, type MergeType, shapeOf, type TypedValue } from './merge-type.ts';
import { fieldElement, type PathElement } from './path-element.ts';

/** The field paths of everything in a value. */
export function* toFieldSet({ type, value }: TypedValue): Work<FieldSet> {
  const visits = new Visits();
  const root = new Reading(undefined, '');
  readValue(type, value, { reading: root, visits });
  yield* visits.rest();
  return root.set;
}

/** The paths found below one element. */
class Reading {
  readonly set = new FieldSet();
  readonly parent: Reading | undefined;
  readonly element: PathElement;

  constructor(parent: Reading | undefined, element: PathElement) {
    this.parent = parent;
    this.element = element;
  }

  /** Whether the surroundings did not have what was found. */
  private isNews(): boolean {
    return this.parent?.set.insertChildren(this.element, this.set) === true;
  }

  /** A deferred part is read after its surroundings, up to those that have its set already. */
  passOn(): void {
    if (!this.isNews()) return;
    let outer = this.parent;
    while (outer?.isNews() === true) outer = outer.parent;
  }
}

interface Place {
  readonly reading: Reading;
  readonly visits: Visits;
}

/** Whether the value itself is a member, not only its contents: true for empty maps. */
function readValue(type: MergeType, value: JsonValue | undefined, place: Place): boolean {
  const shape = shapeOf(type, value);
  if (shape === 'map' && type.map !== undefined) return readMap(type.map, value, place);
  if (shape === 'list' && type.list !== undefined) return readList(type.list, value, place);
  return true;
}

function readMap(map: MapType, value: JsonValue | undefined, { reading, visits }: Place): boolean {
  if (map.atomic) return true;
  if (!isJsonObject(value)) return false;
  const fields: Readonly<JsonObject> = value;
  const keys = Object.keys(fields);
  visits.all(
    keys,
    (key) => {
      const item = fields[key];
      if (item !== undefined) readField(map, key, item, { reading, visits });
    },
    (late) => {
      if (late) reading.passOn();
    },
  );
  return keys.length === 0;
}

function readField(map: MapType, key: string, item: JsonValue, { reading, visits }: Place): void {
  const field = map.fieldOf(key);
  const type = field?.type ?? map.element;
  const element = fieldElement(key);
  let isOwned = item === null || field === undefined;
  if (type !== undefined) {
    if (item === null || typeof item !== 'object') isOwned = readValue(type, item, { reading, visits }) || isOwned;
    else {
      const inner = new Reading(reading, element);
      isOwned = readValue(type, item, { reading: inner, visits }) || isOwned;
      reading.set.insertChildren(element, inner.set);
    }
  }
  if (isOwned) reading.set.insertMember(element);
}

function readList(list: ListType, value: JsonValue | undefined, place: Place): boolean {
  if (!list.associative) return true;
  if (!Array.isArray(value)) return isJsonObject(value) && Object.keys(value).length === 0;
  const { reading, visits } = place;
  const elements: (PathElement | undefined)[] = [];
  const seen = new Set<PathElement>();
  const repeated = new Set<PathElement>();
  const take = (item: JsonValue): void => {
    const element = itemElementOrNone(list, item);
    elements.push(element);
    if (element === undefined) return;
    if (seen.has(element)) repeated.add(element);
    else seen.add(element);
  };
  const read = (item: JsonValue, index: number): void => {
    const element = elements[index];
    if (element === undefined) return;
    reading.set.insertMember(element);
    // Duplicate items are owned together, as a whole.
    if (item === null || typeof item !== 'object' || repeated.has(element)) return;
    const inner = new Reading(reading, element);
    readValue(list.element, item, { reading: inner, visits });
    reading.set.insertChildren(element, inner.set);
  };
  visits.all<JsonValue>(value, take, (taken) => {
    visits.all<JsonValue>(value, read, (late) => {
      if (taken || late) reading.passOn();
    });
  });
  return false;
}
