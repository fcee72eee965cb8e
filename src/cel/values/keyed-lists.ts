import { findIn, isList, isMap, itemsOf, type List } from './collections.ts';
import { MergedList } from './typed.ts';
import { CelError, Double, Duration, isError, isInt, Timestamp, Uint, type Value } from './value.ts';

// Lists that are sets of scalars, or maps keyed by fields of their items.

export const notScalar = new CelError('listSet operations are only supported on lists of scalar values');

/** Identity of set items; undefined for values that cannot be in a set. */
export function scalarKey(item: Value): string | undefined {
  if (isList(item) || isMap(item)) return undefined;
  if (item === null) return 'null';
  if (isInt(item)) return `int ${item}`;
  if (item instanceof Uint) return `uint ${item.value}`;
  if (item instanceof Double) return `double ${item.value}`;
  if (item instanceof Duration) return `duration ${item.nanos}`;
  if (item instanceof Timestamp) return `timestamp ${item.seconds} ${item.nanos}`;
  if (item instanceof Uint8Array) return `bytes ${Buffer.from(item).toString('hex')}`;
  return `${typeof item} ${typeof item === 'object' ? '' : item}`;
}

/** The keys of an item as one string. */
export function itemKey(item: Value, names: readonly string[]): string {
  const parts = names.map((name) => {
    const value = isMap(item) ? findIn(item, name) : undefined;
    return value === undefined || isError(value) ? null : (scalarKey(value) ?? null);
  });
  return JSON.stringify(parts);
}

/** Appends what the first list lacks. */
export function unionOfSets(first: List, second: List): Value {
  const values: Value[] = [];
  const keys = new Set<string>();
  for (const item of itemsOf(first)) {
    const key = scalarKey(item);
    if (key === undefined) return notScalar;
    keys.add(key);
    values.push(item);
  }
  for (const item of itemsOf(second)) {
    const key = scalarKey(item);
    if (key === undefined) return notScalar;
    if (!keys.has(key)) values.push(item);
    keys.add(key);
  }
  return new MergedList(values, 'set');
}

/** Items of the second list replace those of the first with the same keys; others are appended. */
export function mergedByKeys(first: List, second: List, names: readonly string[]): Value {
  const values = [...itemsOf(first)];
  const positions = new Map(values.map((item, index) => [itemKey(item, names), index]));
  for (const item of itemsOf(second)) {
    const key = itemKey(item, names);
    const position = positions.get(key);
    if (position === undefined) values.push(item);
    else values[position] = item;
  }
  return new MergedList(values, { keys: names });
}
