import type { FunctionDeclaration, Overload } from '../check/declarations.ts';
import { operators } from '../syntax/ast.ts';
import { standardMacros } from '../syntax/standard-macros.ts';
import { type CelType, listType, mapType, typeOfType, types } from '../types/cel-type.ts';
import { convert, typeValueOf } from '../values/conversions.ts';
import { compare } from '../values/operations.ts';
import { add, divide, modulo, multiply, negate, subtract } from '../values/operations.ts';
import { containsKey, measured } from '../values/membership.ts';
import { CelError, isError, noSuchOverload, type Value } from '../values/value.ts';
import { matches } from '../values/matching.ts';
import { binary, declare, declareShared, global, type Library, member, paramA, paramB, unary } from './define.ts';
import { timeFunctions } from './times.ts';

const { bool, bytes, double, duration, dyn, int, string, timestamp, uint } = types;
const listOfA = listType(paramA);
const mapOfAB = mapType(paramA, paramB);

/** `[overload, arguments, result]` */
type Row = readonly [id: string, args: readonly CelType[], result: CelType];

function rows(...given: Row[]): readonly Overload[] {
  return given.map(([id, args, result]) => global(id, [args, result]));
}

const numbers = { int64: int, uint64: uint, double } as const;
const ordered = { bool, ...numbers, string, bytes, timestamp, duration } as const;

/** `less_int64`, `less_int64_double` ...: each type with itself, numbers with each other. */
function comparisons(verb: string): readonly Overload[] {
  const same = Object.entries(ordered).flatMap(([name, type]): Row[] => {
    const mixed = Object.entries(numbers)
      .filter(([other]) => other !== name && Object.hasOwn(numbers, name))
      .map(([other, otherType]): Row => [`${verb}_${name}_${other}`, [type, otherType], bool]);
    return [[`${verb}_${name}`, [type, type], bool], ...mixed];
  });
  return rows(...same);
}

/** Cross-type numeric comparisons. */
export const mixedComparisons: readonly string[] = ['less', 'less_equals', 'greater', 'greater_equals'].flatMap(
  (verb) =>
    Object.keys(numbers).flatMap((a) =>
      Object.keys(numbers)
        .filter((b) => a !== b)
        .map((b) => `${verb}_${a}_${b}`),
    ),
);

function comparison(name: string, verb: string, holds: (order: number) => boolean): FunctionDeclaration {
  const call = (a: Value, b: Value): Value => {
    const order = compare(a, b, name);
    return order instanceof CelError ? order : holds(order);
  };
  return declareShared(name, binary(call), comparisons(verb));
}

const operatorFunctions: readonly FunctionDeclaration[] = [
  declare(operators.conditional, global('conditional', [[bool, paramA, paramA], paramA])),
  declare(operators.and, global('logical_and', [[bool, bool], bool])),
  declare(operators.or, global('logical_or', [[bool, bool], bool])),
  declareShared(
    operators.not,
    unary((a) => (typeof a === 'boolean' ? !a : noSuchOverload)),
    rows(['logical_not', [bool], bool]),
  ),
  declare(operators.notStrictlyFalse, global('not_strictly_false', [[bool], bool])),
  declare(operators.equals, global('equals', [[paramA, paramA], bool])),
  declare(operators.notEquals, global('not_equals', [[paramA, paramA], bool])),
  declareShared(
    operators.add,
    binary(add),
    rows(
      ['add_bytes', [bytes, bytes], bytes],
      ['add_double', [double, double], double],
      ['add_duration_duration', [duration, duration], duration],
      ['add_duration_timestamp', [duration, timestamp], timestamp],
      ['add_timestamp_duration', [timestamp, duration], timestamp],
      ['add_int64', [int, int], int],
      ['add_list', [listOfA, listOfA], listOfA],
      ['add_string', [string, string], string],
      ['add_uint64', [uint, uint], uint],
    ),
  ),
  arithmetic(operators.divide, 'divide', divide),
  declareShared(
    operators.modulo,
    binary(modulo),
    rows(['modulo_int64', [int, int], int], ['modulo_uint64', [uint, uint], uint]),
  ),
  arithmetic(operators.multiply, 'multiply', multiply),
  declareShared(
    operators.negate,
    unary(negate),
    rows(['negate_double', [double], double], ['negate_int64', [int], int]),
  ),
  declareShared(
    operators.subtract,
    binary(subtract),
    rows(
      ['subtract_double', [double, double], double],
      ['subtract_duration_duration', [duration, duration], duration],
      ['subtract_int64', [int, int], int],
      ['subtract_timestamp_duration', [timestamp, duration], timestamp],
      ['subtract_timestamp_timestamp', [timestamp, timestamp], duration],
      ['subtract_uint64', [uint, uint], uint],
    ),
  ),
  comparison(operators.less, 'less', (order) => order < 0),
  comparison(operators.lessEquals, 'less_equals', (order) => order <= 0),
  comparison(operators.greater, 'greater', (order) => order > 0),
  comparison(operators.greaterEquals, 'greater_equals', (order) => order >= 0),
  declare(
    operators.index,
    global('index_list', [[listOfA, int], paramA]),
    global('index_map', [[mapOfAB, paramA], paramB]),
  ),
  declareShared(
    operators.in,
    binary(containsKey),
    rows(['in_list', [paramA, listOfA], bool], ['in_map', [paramA, mapOfAB], bool]),
  ),
];

function arithmetic(name: string, verb: string, call: (a: Value, b: Value) => Value): FunctionDeclaration {
  return declareShared(
    name,
    binary(call),
    rows(
      [`${verb}_double`, [double, double], double],
      [`${verb}_int64`, [int, int], int],
      [`${verb}_uint64`, [uint, uint], uint],
    ),
  );
}

const sizes = { bytes, list: listOfA, map: mapOfAB, string } as const;

const sizeFunction = declareShared(
  'size',
  unary(measured),
  Object.entries(sizes).flatMap(([name, type]) => [
    global(`size_${name}`, [[type], int]),
    member(`${name}_size`, [[type], int]),
  ]),
);

type Target = Parameters<typeof convert>[1];

const conversionNames = { bool, bytes, double, duration, int64: int, string, timestamp, uint64: uint } as const;

/** `[function, argument type]`, in the reference's declaration order. */
const conversionSources: readonly (readonly [Target, readonly (keyof typeof conversionNames)[]])[] = [
  ['bool', ['bool', 'string']],
  ['bytes', ['bytes', 'string']],
  ['double', ['double', 'int64', 'string', 'uint64']],
  ['duration', ['duration', 'string']],
  ['int', ['int64', 'double', 'duration', 'string', 'timestamp', 'uint64']],
  ['string', ['string', 'bool', 'bytes', 'double', 'duration', 'int64', 'timestamp', 'uint64']],
  ['timestamp', ['timestamp', 'int64', 'string']],
  ['uint', ['uint64', 'double', 'int64', 'string']],
];

const conversionFunctions = conversionSources.map(([target, sources]) => {
  const name = target === 'int' || target === 'uint' ? (`${target}64` as const) : target;
  return declare(
    target,
    ...sources.map((source) =>
      global(
        `${source}_to_${name}`,
        [[conversionNames[source]], conversionNames[name]],
        unary((value) => convert(value, target)),
      ),
    ),
  );
});

/** `[function, overload, predicate]` */
const textFunctions = (
  [
    ['contains', 'contains_string', (text: string, part: string) => text.includes(part)],
    ['endsWith', 'ends_with_string', (text: string, part: string) => text.endsWith(part)],
    ['startsWith', 'starts_with_string', (text: string, part: string) => text.startsWith(part)],
  ] as const
).map(([name, id, holds]): FunctionDeclaration => {
  const call = (a: Value, b: Value): Value => {
    if (typeof a === 'string' && typeof b === 'string') return holds(a, b);
    return [a, b].find(isError) ?? noSuchOverload;
  };
  return { name, isUnguarded: true, overloads: [member(id, [[string, string], bool], binary(call))] };
});

export const standardLibrary: Library = {
  name: 'standard',
  macros: standardMacros,
  types: [bool, bytes, double, duration, int, types.list, types.map, types.null, string, timestamp, types.type, uint],
  functions: [
    ...operatorFunctions,
    sizeFunction,
    declareShared('type', unary(typeValueOf), [global('type', [[paramA], typeOfType(paramA)])]),
    ...conversionFunctions,
    declareShared(
      'dyn',
      unary((value) => value),
      [global('to_dyn', [[paramA], dyn])],
    ),
    ...textFunctions,
    declareShared('matches', binary(matches), [
      global('matches', [[string, string], bool]),
      member('matches_string', [[string, string], bool]),
    ]),
    ...timeFunctions,
  ],
};
