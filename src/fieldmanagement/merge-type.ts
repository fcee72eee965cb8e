import type { JsonValue } from '../api/json/json.ts';

/**
 * How values of a schema node are compared, merged and owned. A node may allow several shapes (free-form JSON allows
 * all three): a value is treated according to its own shape.
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
  /** Items are owned one by one: by key fields if `keys` is not empty, else by value. */
  readonly associative: boolean;
  readonly keys: readonly string[];
}

/** A map or a struct. */
export interface MapType {
  /** Owned as a whole. */
  readonly atomic: boolean;
  /** The type of keys that are not named fields; undefined for structs. */
  readonly element: MergeType | undefined;
  /** Schemaless: types are deduced from values. */
  readonly deduced: boolean;
  fieldOf(name: string): MergeField | undefined;
  /** Names of the fields. */
  fieldNames(): Iterable<string>;
}

export interface MergeField {
  readonly type: MergeType;
  /** The value of an absent key field. */
  readonly default?: JsonValue;
}

/** A value with its type. */
export interface TypedValue {
  readonly type: MergeType;
  /** Undefined: absent, as opposed to null. */
  readonly value: JsonValue | undefined;
}

export type Shape = 'scalar' | 'list' | 'map';

/** The shape to read a value in; values of other shapes are read as the type's first of map, scalar, list. */
export function shapeOf(type: MergeType, value: JsonValue | undefined): Shape {
  return ownShape(type, value) ?? (type.map !== undefined ? 'map' : type.scalar !== undefined ? 'scalar' : 'list');
}

/** Undefined when the value does not decide: it is absent, null, or of a shape that the type does not allow. */
function ownShape(type: MergeType, value: JsonValue | undefined): Shape | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object') return type.scalar === undefined ? undefined : 'scalar';
  if (Array.isArray(value)) return type.list === undefined ? undefined : 'list';
  return type.map === undefined ? undefined : 'map';
}

/** The shapes to read two values in, left one first: a single one when they agree or one is absent. */
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

/** Whether a type allows nothing but scalars. */
export function isScalarType(type: MergeType): type is MergeType & { readonly scalar: ScalarType } {
  return type.scalar !== undefined && type.map === undefined && type.list === undefined;
}

/** The type at a key; undefined for unknown keys. */
export function typeAt(map: MapType, key: string): MergeType | undefined {
  return map.fieldOf(key)?.type ?? map.element;
}

const atomicList: ListType = {
  get element() {
    return atomicType;
  },
  associative: false,
  keys: [],
};

/** A map without fields of its own. */
function mapOf(element: () => MergeType, { atomic }: { readonly atomic: boolean }): MapType {
  return {
    get element() {
      return element();
    },
    atomic,
    deduced: !atomic,
    fieldOf: () => undefined,
    fieldNames: () => [],
  };
}

/** Free-form JSON that is owned as a whole. */
export const atomicType: MergeType = {
  scalar: 'untyped',
  list: atomicList,
  map: mapOf(() => atomicType, { atomic: true }),
};

/** No schema: maps are owned field by field, lists as a whole. */
export const deducedType: MergeType = {
  scalar: 'untyped',
  list: atomicList,
  map: mapOf(() => deducedType, { atomic: false }),
};

/** Converts an object to another version of its kind, which a webhook may do; undefined if there is no such version. */
export type VersionConverter = (
  object: TypedValue,
  apiVersion: string,
) => TypedValue | undefined | Promise<TypedValue | undefined>;

/** How objects get into other versions of their kind. */
export interface VersionConversion {
  readonly convert: VersionConverter;
  /** Whether conversion only leaves out what the other version lacks, so that fields have the same paths in both. */
  readonly sharesPaths?: boolean;
}
