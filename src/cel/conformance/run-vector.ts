import type { FunctionDeclaration, Overload } from '../check/declarations.ts';
import { Environment } from '../environments/environment.ts';
import { optionalLibrary } from '../libraries/optionals.ts';
import { setsLibrary } from '../libraries/sets.ts';
import { stringsLibrary } from '../libraries/strings.ts';
import { twoVariableLibrary } from '../libraries/two-variables.ts';
import { listExtensions } from '../libraries/lists.ts';
import { CelProgramError } from '../program/frame.ts';
import { CelCompileError } from '../source.ts';
import type { CelType } from '../types/cel-type.ts';
import { findIn, isList, isMap, itemsOf, keysOf, listSize, mapSize } from '../values/collections.ts';
import { equals } from '../values/equality.ts';
import { typeOf } from '../values/type-of.ts';
import { valueText } from '../values/texts.ts';
import { CelError, Double, isError, type Value } from '../values/value.ts';
import { type ConformanceCase, typeFrom, UnknownMessage, valueFrom } from './vectors.ts';

/** The libraries of cel-spec that Kubernetes enables; its own are not in the vectors. */
const environment = Environment.of({
  libraries: [optionalLibrary, stringsLibrary, setsLibrary, twoVariableLibrary, listExtensions],
  validators: [],
  mixedComparisons: true,
});

/** Why a vector fails; undefined when it passes. */
export function faultOf({ vector }: ConformanceCase): string | undefined {
  try {
    if (vector.container !== '') return `container ${vector.container}`;
    const found = evaluate(vector);
    return verdict(vector, found);
  } catch (error) {
    if (error instanceof UnknownMessage) return `message ${error.message}`;
    throw error;
  }
}

type Vector = ConformanceCase['vector'];

interface Found {
  readonly value: Value;
  readonly type?: CelType;
}

function evaluate(vector: Vector): Found {
  const variables = vector.typeEnv.flatMap(({ name, declKind }) =>
    declKind.case === 'ident' ? [[name, typeFrom(declKind.value.type)] as const] : [],
  );
  const bindings: { [name: string]: Value } = {};
  for (const [name, { kind }] of Object.entries(vector.bindings)) {
    if (kind.case === 'value') bindings[name] = valueFrom(kind.value);
  }
  try {
    const library = { name: vector.name, functions: declaredFunctions(vector) };
    const expression = environment.withLibrary(library).with(variables).check(vector.expr);
    if (vector.checkOnly) return { value: null, type: expression.type };
    return { value: expression.program().evaluate(bindings, Infinity).value, type: expression.type };
  } catch (error) {
    if (error instanceof CelCompileError || error instanceof CelProgramError)
      return { value: new CelError(error.message) };
    throw error;
  }
}

/** Functions declared by a vector have no implementation: such vectors test type checking only. */
function declaredFunctions({ typeEnv }: Vector): FunctionDeclaration[] {
  return typeEnv.flatMap(({ name, declKind }) => {
    if (declKind.case !== 'function') return [];
    const overloads = declKind.value.overloads.map((overload): Overload => ({
      id: overload.overloadId,
      args: overload.params.map(typeFrom),
      result: typeFrom(overload.resultType),
      isMember: overload.isInstanceFunction,
    }));
    return [{ name, overloads }];
  });
}

function verdict({ resultMatcher, checkOnly }: Vector, { value }: Found): string | undefined {
  switch (resultMatcher.case) {
    case 'evalError':
    case 'anyEvalErrors':
      return isError(value) ? undefined : `no error but ${valueText(value)}`;
    case 'typedResult': {
      const { result } = resultMatcher.value;
      return checkOnly || result === undefined ? problemOf(value) : differenceOf(valueFrom(result), value);
    }
    case 'value':
      return differenceOf(valueFrom(resultMatcher.value), value);
    case undefined:
      return differenceOf(true, value);
    default:
      return `${resultMatcher.case} is expected`;
  }
}

function problemOf(value: Value): string | undefined {
  return isError(value) ? value.message : undefined;
}

function differenceOf(expected: Value, found: Value): string | undefined {
  if (isSame(expected, found)) return undefined;
  return `expected ${valueText(expected)}, found ${valueText(found)}`;
}

/** Equal and of the same type; NaN equals itself here. */
function isSame(a: Value, b: Value): boolean {
  if (isList(a) && isList(b)) {
    const others = [...itemsOf(b)];
    return listSize(a) === others.length && [...itemsOf(a)].every((item, index) => isSame(item, others[index] ?? null));
  }
  if (isMap(a) && isMap(b)) {
    return (
      mapSize(a) === mapSize(b) && keysOf(a).every((key) => isSame(findIn(a, key) ?? null, findIn(b, key) ?? null))
    );
  }
  if (a instanceof Double && b instanceof Double) return Object.is(a.value, b.value) || a.value === b.value;
  return typeOf(a).name === typeOf(b).name && equals(a, b) === true;
}
