import { types, type CelType } from '../types/cel-type.ts';
import { CelObject, type Value } from '../values/value.ts';

export function literalType(value: Value): CelType {
  switch (typeof value) {
    case 'boolean':
      return types.bool;
    case 'string':
      return types.string;
    case 'object':
      return value === null ? types.null : value instanceof CelObject ? value.type : types.bytes;
    default:
      return types.int;
  }
}
