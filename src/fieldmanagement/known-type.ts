import { type MapType, type MergeType, typeAt } from './merge-type.ts';
import { TypedValueError, valueError } from './value-errors.ts';

/** The type at a key of a value that fits its type. Throws a TypedValueError if it does not. */
export function knownTypeAt(map: MapType, key: string): MergeType {
  const type = typeAt(map, key);
  if (type === undefined) throw new TypedValueError(valueError('schema error: invalid atom: inlined'));
  return type;
}
