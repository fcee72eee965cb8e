import { GoValue } from '../api/json/go-value.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { goQuote } from '../api/go/go-quote.ts';
import type { ListType } from './merge-type.ts';
import { addKeyField, keyElement, type PathElement, valueElement } from './path-element.ts';
import { TypedValueError, valueError } from './value-errors.ts';

/** Thrown for items that have no unique identity in their list. */
export class ListItemError extends TypedValueError {
  override readonly code = 'LIST_ITEM';

  constructor(message: string) {
    super(valueError(message));
  }
}

/** The path element of an item in an associative list. */
export function itemElement(list: ListType, item: JsonValue): PathElement {
  if (!list.associative) throw new ListItemError('invalid indexing of non-associative list');
  return list.keys.length > 0 ? keyedElement(list, item) : memberElement(item);
}

/** The path element of an item in an associative list; undefined for an item without one. */
export function itemElementOrNone(list: ListType, item: JsonValue): PathElement | undefined {
  try {
    return itemElement(list, item);
  } catch (error) {
    if (error instanceof ListItemError) return undefined;
    throw error;
  }
}

function keyedElement({ keys, element }: ListType, item: JsonValue): PathElement {
  if (item === null) throw new ListItemError('associative list with keys may not have a null element');
  if (!isJsonObject(item) || item instanceof GoValue)
    throw new ListItemError('associative list with keys may not have non-map elements');
  const fields: JsonObject = {};
  let count = 0;
  for (const key of keys) {
    const value = Object.hasOwn(item, key) ? item[key] : defaultOf(element, key);
    if (value === undefined) continue;
    addKeyField(fields, key, value);
    count += 1;
  }
  if (count === 0) {
    const names = keys.map(goQuote).join(' ');
    throw new ListItemError(
      `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    );
  }
  return keyElement(fields);
}

function defaultOf(element: ListType['element'], key: string): JsonValue | undefined {
  if (element.map === undefined) {
    throw new ListItemError(`couldn't find default value for ${key}: associative list may not have non-map types`);
  }
  return element.map.fieldOf(key)?.default ?? undefined;
}

function memberElement(item: JsonValue): PathElement {
  if (isJsonObject(item)) throw new ListItemError("associative list without keys has an element that's a map type");
  if (Array.isArray(item)) throw new ListItemError('not supported: associative list with lists as elements');
  if (item === null) throw new ListItemError("associative list without keys has an element that's an explicit null");
  return valueElement(item);
}
