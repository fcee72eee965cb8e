import { operators } from '../syntax/ast.ts';
import { optionalMacros } from '../syntax/extension-macros.ts';
import { listType, mapType, optionalType, paramType, types } from '../types/cel-type.ts';
import { isList, isMap, itemAt, itemsOf, listSize, mapSize } from '../values/collections.ts';
import { ConstructedValue } from '../values/constructed.ts';
import { minSeconds } from '../values/times.ts';
import { valueText } from '../values/texts.ts';
import {
  CelError,
  Double,
  Duration,
  isBytes,
  noSuchOverload,
  Optional,
  Timestamp,
  Uint,
  type Value,
} from '../values/value.ts';
import type { Implementation } from '../check/declarations.ts';
import { constant, declare, global, type Library, member, unary } from './define.ts';

const { bool, dyn, int, string } = types;
const paramK = paramType('K');
const paramV = paramType('V');
const optionalV = optionalType(paramV);
const listV = listType(paramV);
const mapKV = mapType(paramK, paramV);

const noValue = new CelError('optional.none() dereference');

export const optionalLibrary: Library = {
  name: 'optional',
  macros: optionalMacros,
  types: [types.optional],
  functions: [
    declare(
      'optional.of',
      global(
        'optional_of',
        [[paramV], optionalV],
        unary((value) => new Optional(value)),
      ),
    ),
    declare(
      'optional.ofNonZeroValue',
      global(
        'optional_ofNonZeroValue',
        [[paramV], optionalV],
        unary((value) => (isZero(value) ? Optional.none : new Optional(value))),
      ),
    ),
    declare('optional.none', global('optional_none', [[], optionalV], constant(Optional.none))),
    declare(
      'value',
      member(
        'optional_value',
        [[optionalV], paramV],
        ofOptional((optional) => optional.value ?? none(optional)),
      ),
    ),
    declare(
      'hasValue',
      member(
        'optional_hasValue',
        [[optionalV], bool],
        ofOptional((optional) => optional.value !== undefined),
      ),
    ),
    declare('or', member('optional_or_optional', [[optionalV, optionalV], optionalV])),
    declare('orValue', member('optional_orValue_value', [[optionalV, paramV], paramV])),
    declare(operators.optionalSelect, global('select_optional_field', [[dyn, string], optionalV])),
    declare(
      operators.optionalIndex,
      global('list_optindex_optional_int', [[listV, int], optionalV]),
      global('optional_list_optindex_optional_int', [[optionalType(listV), int], optionalV]),
      global('map_optindex_optional_value', [[mapKV, paramK], optionalV]),
      global('optional_map_optindex_optional_value', [[optionalType(mapKV), paramK], optionalV]),
    ),
    declare(
      operators.index,
      global('optional_list_index_int', [[optionalType(listV), int], optionalV]),
      global('optional_map_index_value', [[optionalType(mapKV), paramK], optionalV]),
    ),
    declare(
      'last',
      member(
        'list_last',
        [[listV], optionalV],
        unary((list) => edge(list, 'last')),
      ),
    ),
    declare(
      'first',
      member(
        'list_first',
        [[listV], optionalV],
        unary((list) => edge(list, 'first')),
      ),
    ),
    declare('optional.unwrap', global('optional_unwrap', [[listType(optionalV)], listV], unary(unwrapped))),
    declare('unwrapOpt', member('optional_unwrapOpt', [[listType(optionalV)], listV], unary(unwrapped))),
  ],
};

/** In a message, an old value is there as it is, although it is optional to the checker. */
function ofOptional(call: (optional: Optional) => Value): Implementation {
  return unary((value) => (value instanceof Optional ? call(value) : noSuchOverload));
}

/** Null counts as a value. */
function none({ value }: Optional): Value {
  return value === undefined ? noValue : null;
}

function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0 || value === '') return true;
  if (value instanceof Double) return value.value === 0;
  if (value instanceof Uint) return value.value === 0;
  if (value instanceof Duration) return value.nanos === 0;
  if (value instanceof Timestamp) return value.seconds === minSeconds && value.nanos === 0;
  if (isBytes(value)) return value.length === 0;
  if (value instanceof ConstructedValue) return value.isZero;
  if (isList(value)) return hasOwnZero(value) && listSize(value) === 0;
  return isMap(value) && hasOwnZero(value) && mapSize(value) === 0;
}

/** Typed lists and objects are never zero values, even when empty. */
function hasOwnZero(value: Value): boolean {
  return !(typeof value === 'object' && value !== null && ('read' in value || 'shape' in value || 'mode' in value));
}

function edge(list: Value, end: 'first' | 'last'): Value {
  if (!isList(list) || listSize(list) === 0) return Optional.none;
  return new Optional(itemAt(list, end === 'first' ? 0 : listSize(list) - 1));
}

function unwrapped(list: Value): Value {
  const values: Value[] = [];
  if (!isList(list)) return values;
  for (const item of itemsOf(list)) {
    if (!(item instanceof Optional)) return new CelError(`value ${valueText(item)} is not optional`);
    if (item.value !== undefined) values.push(item.value);
  }
  return values;
}
