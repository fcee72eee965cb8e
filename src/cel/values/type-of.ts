import { types, type CelType } from '../types/cel-type.ts';
import { CelObject, type Value } from './value.ts';

export function typeOf(value: Value): CelType {
  switch (typeof value) {
    case 'string':
      return types.string;
    case 'boolean':
      return types.bool;
    case 'number':
    case 'bigint':
      return types.int;
    default:
      if (value === null) return types.null;
      if (value instanceof CelObject) return value.type;
      if (value instanceof Uint8Array) return types.bytes;
      return Array.isArray(value) ? types.list : types.map;
  }
}
