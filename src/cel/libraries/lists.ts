import type { FunctionDeclaration } from '../check/declarations.ts';
import { sortByKeys, sortByMacro } from '../syntax/extension-macros.ts';
import { type CelType, comparableTypes, listType, paramType, types, typeText } from '../types/cel-type.ts';
import { isList, itemAt, itemsOf, type List, listSize } from '../values/collections.ts';
import { equals } from '../values/equality.ts';
import { addInt } from '../values/int64.ts';
import { add, compare, isComparable, unsupported } from '../values/operations.ts';
import {
  CelError,
  Double,
  Duration,
  type Int,
  isError,
  isInt,
  noSuchOverload,
  Uint,
  type Value,
} from '../values/value.ts';
import { noMatch } from '../values/signature-check.ts';
import { typeOf } from '../values/type-of.ts';
import { binary, declare, global, type Library, many, member, unary } from './define.ts';

const { bool, double, duration, dyn, int, uint } = types;

const zeros: { readonly [type: string]: readonly [CelType, Value] } = {
  int: [int, 0],
  uint: [uint, Uint.of(0)],
  double: [double, new Double(0)],
  duration: [duration, new Duration(0)],
};

/** Items that cannot be read are errors themselves. */
function unusable(item: Value): CelError {
  return isError(item) ? item : noSuchOverload;
}

/** Overloads are chosen by the first item. */
function whereFirstIsReadable(name: string, call: (list: List) => Value): (list: Value) => Value {
  return (value) => {
    const list = value as List; // guaranteed by the signatures
    return listSize(list) > 0 && isError(itemAt(list, 0)) ? noMatch(name, [list]) : call(list);
  };
}

function isSorted(list: List): Value {
  let previous: Value | undefined;
  for (const item of itemsOf(list)) {
    if (!isComparable(item)) return unusable(item);
    if (previous !== undefined && compare(previous, item) === 1) return false;
    previous = item;
  }
  return true;
}

function extreme(list: List, name: 'min' | 'max'): Value {
  let best: Value | undefined;
  for (const item of itemsOf(list)) {
    if (!isComparable(item)) return unusable(item);
    if (best === undefined || compare(best, item) === (name === 'min' ? 1 : -1)) best = item;
  }
  return best ?? new CelError(`${name} called on empty list`);
}

function sum(list: List, zero: Value): Value {
  let total = zero;
  for (const item of itemsOf(list)) {
    total = isError(item) ? item : add(total, item);
    if (isError(total)) return total;
  }
  return total;
}

function position(list: List, value: Value, step: 1 | -1): Value {
  const size = listSize(list);
  for (let index = step === 1 ? 0 : size - 1; index >= 0 && index < size; index += step) {
    if (equals(itemAt(list, index), value) === true) return index;
  }
  return -1;
}

function templated(
  name: string,
  [id, result]: readonly [(type: string) => string, (type: CelType) => CelType],
  call: (list: List) => Value,
): FunctionDeclaration {
  const rows = comparableTypes.map((type) =>
    member(id(type.kind), [[listType(type)], result(type)], unary(whereFirstIsReadable(name, call))),
  );
  return declare(name, ...rows);
}

const paramA = paramType('A');
const own = (type: CelType): CelType => type;

/** The lists library of Kubernetes. */
export const listsLibrary: Library = {
  name: 'kubernetes.lists',
  functions: [
    templated('isSorted', [(type) => `list_${type}_is_sorted_bool`, () => bool], isSorted),
    declare(
      'sum',
      ...Object.entries(zeros).map(([name, [type, zero]]) =>
        member(
          `list_${name}_sum_${name}`,
          [[listType(type)], type],
          unary(whereFirstIsReadable('sum', (list) => sum(list, zero))),
        ),
      ),
    ),
    templated('max', [(type) => `list_${type}_max_${type}`, own], (list) => extreme(list, 'max')),
    templated('min', [(type) => `list_${type}_min_${type}`, own], (list) => extreme(list, 'min')),
    declare(
      'indexOf',
      member(
        'list_a_index_of_int',
        [[listType(paramA), paramA], int],
        binary((list, value) => position(list as List, value, 1)),
      ),
    ),
    declare(
      'lastIndexOf',
      member(
        'list_a_last_index_of_int',
        [[listType(paramA), paramA], int],
        binary((list, value) => position(list as List, value, -1)),
      ),
    ),
  ],
};

const includes = declare(
  'includes',
  member(
    'list_includes_dyn_dyn',
    [[dyn, dyn], bool],
    binary((target, value) => {
      if (!isList(target)) return equals(target, value) === true;
      for (const item of itemsOf(target)) if (equals(item, value) === true) return true;
      return false;
    }),
  ),
);

/** For environments of releases that lack it. */
export const includesLibrary: Library = { name: 'kubernetes.includes', functions: [includes] };

/** Including later additions. */
export const listsLibraryV1: Library = {
  ...listsLibrary,
  functions: [...(listsLibrary.functions ?? []), includes],
};

const listOfT = listType(paramType('T'));

function slice(list: List, start: Int, end: Int): Value {
  const size = listSize(list);
  const call = `cannot slice(${start}, ${end})`;
  if (start < 0 || end < 0) return new CelError(`${call}, negative indexes not supported`);
  if (start > end) return new CelError(`${call}, start index must be less than or equal to end index`);
  if (size < end) return new CelError(`${call}, list is length ${size}`);
  return Array.from({ length: Number(end) - Number(start) }, (_, index) => itemAt(list, Number(start) + index));
}

function flatten(list: List, depth: Int): Value {
  if (depth < 0) return new CelError('level must be non-negative');
  const values: Value[] = [];
  for (const item of itemsOf(list)) {
    const nested = isList(item) && depth !== 0 ? flatten(item, addInt(depth, -1) as Int) : undefined;
    if (nested !== undefined && isList(nested)) for (const each of itemsOf(nested)) values.push(each);
    else values.push(item);
  }
  return values;
}

const maxRange = 1_000_000;

function range(count: Int): Value {
  if (count < 0) return new CelError(`lists.range: size must be non-negative, got ${count}`);
  if (count > maxRange) return new CelError(`lists.range: size ${count} exceeds maximum allowed (${maxRange})`);
  return Array.from({ length: Number(count) }, (_, index) => index);
}

function distinct(list: List): Value {
  const values: Value[] = [];
  for (const item of itemsOf(list)) if (!values.some((other) => equals(item, other) === true)) values.push(item);
  return values;
}

function sortBy(list: List, keys: List): Value {
  const [size, keyCount] = [listSize(list), listSize(keys)];
  if (size !== keyCount) {
    const sizes = `but got ${size} and ${keyCount} elements respectively`;
    return new CelError(`${sortByKeys}() expected a list of the same size as the associated keys list, ${sizes}`);
  }
  if (size === 0) return list;
  const values = [...itemsOf(keys)];
  const [first = null] = values;
  if (!isComparable(first)) return new CelError('list elements must be comparable');
  const { name } = typeOf(first);
  if (values.some((key) => typeOf(key).name !== name)) return new CelError('list elements must have the same type');
  const order = values.map((key, index) => ({ key, index }));
  order.sort((a, b) => Number(compare(a.key, b.key)) || a.index - b.index);
  return order.map(({ index }) => itemAt(list, index));
}

/** The lists library of CEL. */
export const listExtensions: Library = {
  name: 'lists',
  macros: [sortByMacro],
  functions: [
    declare(
      'slice',
      member(
        'list_slice',
        [[listOfT, int, int], listOfT],
        many(([list, start, end]) => slice(list as List, start as Int, end as Int)),
      ),
    ),
    {
      name: 'flatten',
      isUnguarded: true,
      overloads: [
        member(
          'list_flatten',
          [[listType(listOfT)], listOfT],
          unary((list) => flattened(list)),
        ),
        member('list_flatten_int', [[listType(dyn), int], listType(dyn)], binary(flattened)),
      ],
    },
    {
      name: 'sort',
      overloads: comparableTypes.map((type) => member(`list_${type.name}_sort`, [[listType(type)], listType(type)])),
      shared: unary((list) => (isList(list) ? sortBy(list, list) : unsupported('sort', list))),
    },
    {
      name: sortByKeys,
      overloads: comparableTypes.map((type) =>
        member(`list_${type.name}_sortByAssociatedKeys`, [[listOfT, listType(type)], listOfT]),
      ),
      shared: binary((list, keys) =>
        isList(list) && isList(keys) ? sortBy(list, keys) : unsupported(sortByKeys, list),
      ),
    },
    declare(
      'lists.range',
      global(
        'lists_range',
        [[int], listType(int)],
        unary((count) => range(count as Int)),
      ),
    ),
    declare(
      'reverse',
      member(
        'list_reverse',
        [[listOfT], listOfT],
        unary((list) => [...itemsOf(list as List)].reverse()),
      ),
    ),
    declare(
      'distinct',
      member(
        'list_distinct',
        [[listOfT], listOfT],
        unary((list) => distinct(list as List)),
      ),
    ),
  ],
};

function flattened(list: Value, depth?: Value): Value {
  if (isList(list) && (depth === undefined || isInt(depth))) return flatten(list, depth ?? 1);
  const args = depth === undefined ? '' : typeText(typeOf(depth));
  return new CelError(`no such overload: ${typeText(typeOf(list))}.flatten(${args})`);
}
