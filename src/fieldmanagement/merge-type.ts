import type { JsonValue } from '../api/json.ts';
import type { Soon } from '../api/soon.ts';

/**
 * How values of one schema node are compared, merged and owned. A node may allow several shapes (free JSON allows all
 * three): a value is read as the shape that it has.
 */
export interface MergeType {
  readonly scalar?: ScalarType;
  readonly list?: ListType;
  readonly map?: MapType;
}

/** `untyped` is any scalar. */
export type ScalarType = 'numeric' | 'string' | 'boolean' | 'untyped';

export interface ListType {
  readonly element: MergeType;
  /** Items are owned one by one: by their key fields where there are `keys`, else by their value. */
  readonly associative: boolean;
  readonly keys: readonly string[];
}

/** A map or a struct. */
export interface MapType {
  /** Owned as a whole. */
  readonly atomic: boolean;
  /** Of keys that are no fields; undefined where there are fields alone. */
  readonly element: MergeType | undefined;
  /** Nothing is known of it but what its values tell. */
  readonly deduced: boolean;
  fieldOf(name: string): MergeField | undefined;
  /** Names of its fields. */
  fieldNames(): Iterable<string>;
}

export interface MergeField {
  readonly type: MergeType;
  /** Value of an absent key field. */
  readonly default?: JsonValue;
}

/** A value with its type. */
export interface TypedValue {
  readonly type: MergeType;
  /** Undefined: nothing, not even null. */
  readonly value: JsonValue | undefined;
}

export type Shape = 'scalar' | 'list' | 'map';

/** The shape in which a value is read; a value that has none of its type's is read as the first of map, scalar and list. */
export function shapeOf(type: MergeType, value: JsonValue | undefined): Shape {
  return ownShape(type, value) ?? (type.map !== undefined ? 'map' : type.scalar !== undefined ? 'scalar' : 'list');
}

/** Undefined when the value leaves it open: there is none, it is null, or of a shape that the type does not allow. */
function ownShape(type: MergeType, value: JsonValue | undefined): Shape | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object') return type.scalar === undefined ? undefined : 'scalar';
  if (Array.isArray(value)) return type.list === undefined ? undefined : 'list';
  return type.map === undefined ? undefined : 'map';
}

/**
 * The shapes in which two values are read together, the left one first: one where they agree, or where one is missing.
 */
export function commonShapes(
  type: MergeType,
  left: JsonValue | undefined,
  right: JsonValue | undefined,
): readonly [Shape] | readonly [Shape, Shape] {
  if (right === undefined) return [shapeOf(type, left)];
  if (left === undefined || !hasSeveralShapes(type) || ownShape(type, left) === ownShape(type, right)) {
    return [shapeOf(type, right)];
  }
  return [shapeOf(type, left), shapeOf(type, right)];
}

function hasSeveralShapes({ scalar, list, map }: MergeType): boolean {
  return Number(scalar !== undefined) + Number(list !== undefined) + Number(map !== undefined) > 1;
}

/** Type of what stands at a key; undefined where the type knows nothing of the key. */
export function typeAt(map: MapType, key: string): MergeType | undefined {
  return map.fieldOf(key)?.type ?? map.element;
}

/** Free JSON that is owned as a whole. */
export const atomicType: MergeType = {
  scalar: 'untyped',
  get list(): ListType {
    return { element: atomicType, associative: false, keys: [] };
  },
  get map(): MapType {
    return { element: atomicType, atomic: true, deduced: false, fieldOf: () => undefined, fieldNames: () => [] };
  },
};

/** Without a schema: maps are owned field by field, lists as a whole. */
export const deducedType: MergeType = {
  scalar: 'untyped',
  list: { element: atomicType, associative: false, keys: [] },
  get map(): MapType {
    return deducedMap;
  },
};

const deducedMap: MapType = {
  element: deducedType,
  atomic: false,
  deduced: true,
  fieldOf: () => undefined,
  fieldNames: () => [],
};

/** Makes an object one of another version of its kind; undefined when that version does not exist (any more). */
export type VersionConverter = (object: TypedValue, apiVersion: string) => Soon<TypedValue | undefined>;
