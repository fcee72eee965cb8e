import { isEmptyObject, isHuge } from '../api/huge-objects.ts';
import { isJsonObject, type JsonValue } from '../api/json.ts';
import { encodeRaw } from '../api/json-text.ts';
import { itemElementOrNone } from './list-items.ts';
import { type ListType, type MapType, type MergeType, typeAt } from './merge-type.ts';
import { equalValues } from './values.ts';

/**
 * A string that captures everything about a value that decides which fields differ from `base`: values of one type with
 * the same shape differ from `base` in the same places. The contents of scalars and atomic lists and maps count only
 * where `base` has something to compare with, and where they are zero, since some zero values are not written; field
 * names and item keys always count. Undefined where the string would be long.
 */
export function shapeFrom(type: MergeType, base: JsonValue | undefined, value: JsonValue): string | undefined {
  if (Array.isArray(value)) {
    return type.list?.associative === true ? shapeOfItems(type.list, base, value) : shapeOfLeaf('l', base, value);
  }
  if (isJsonObject(value)) {
    return type.map?.atomic === false ? shapeOfFields(type.map, base, value) : shapeOfLeaf('m', base, value);
  }
  return shapeOfLeaf(kindsOfLeaves[typeof value] ?? 'z', base, value);
}

/** Shapes pay off for recurring objects, and few large ones recur. */
const maxShapeLength = 16_000;

/** Null matches none of these. */
const kindsOfLeaves: { readonly [type: string]: string } = { string: 's', number: 'n', bigint: 'n', boolean: 'b' };

function shapeOfLeaf(kind: string, base: JsonValue | undefined, value: JsonValue): string {
  if (base === undefined) return isZero(value) ? `${kind}0` : kind;
  return equalValues(base, value) ? `${kind}=` : `${kind}!`;
}

function isZero(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return !value;
  return Array.isArray(value) ? value.length === 0 : isEmptyObject(value);
}

function shapeOfFields(
  map: MapType,
  base: JsonValue | undefined,
  value: { readonly [key: string]: JsonValue },
): string | undefined {
  if (isHuge(value)) return undefined;
  const baseFields = isJsonObject(base) ? base : undefined;
  let text = base === undefined ? '{' : base === null ? '{0' : '{+';
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item === undefined) continue;
    const type = typeAt(map, key);
    const below = baseFields !== undefined && Object.hasOwn(baseFields, key) ? baseFields[key] : undefined;
    // Keys may contain any character, so they are length-prefixed.
    const shape = type === undefined ? '?' : shapeFrom(type, below, item);
    if (shape === undefined || text.length > maxShapeLength) return undefined;
    text += `${key.length}:${key}${shape}`;
  }
  return `${text}}`;
}

function shapeOfItems(list: ListType, base: JsonValue | undefined, value: readonly JsonValue[]): string | undefined {
  if (Array.isArray(base) && base.length > 0) return encodeRaw([...value]);
  let text = base === undefined ? '[' : base === null ? '[0' : '[+';
  for (const item of value) {
    const element = itemElementOrNone(list, item) ?? '';
    const shape = shapeFrom(list.element, undefined, item);
    if (shape === undefined || text.length > maxShapeLength) return undefined;
    text += `${element.length}:${element}${shape}`;
  }
  return `${text}]`;
}
