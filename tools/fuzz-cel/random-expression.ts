import type { Overload } from '../../src/cel/check/declarations.ts';
import { cidrLibrary, ipLibrary } from '../../src/cel/libraries/addresses.ts';
import { authorizerLibrary, authorizerSelectorsLibrary } from '../../src/cel/libraries/authorizer.ts';
import { formatLibrary } from '../../src/cel/libraries/formats.ts';
import { listExtensions, listsLibraryV1 } from '../../src/cel/libraries/lists.ts';
import { optionalLibrary } from '../../src/cel/libraries/optionals.ts';
import { quantityLibrary } from '../../src/cel/libraries/quantities.ts';
import { regexLibrary } from '../../src/cel/libraries/regex.ts';
import { setsLibrary } from '../../src/cel/libraries/sets.ts';
import { standardLibrary } from '../../src/cel/libraries/standard.ts';
import { stringsLibrary } from '../../src/cel/libraries/strings.ts';
import { urlsLibrary } from '../../src/cel/libraries/urls.ts';
import { semverLibrary } from '../../src/cel/libraries/versions.ts';
import { operators } from '../../src/cel/syntax/ast.ts';
import {
  type CelType,
  elementOf,
  isSameType,
  listType,
  mapType,
  optionalType,
  types,
  valueOf,
} from '../../src/cel/types/cel-type.ts';
import type { Random } from '../random-objects/repeatable-random.ts';
import { compositeTypes, messages, scalarTypes, termsOf, variables } from './terms.ts';

/* Expressions over all libraries, most of them of fitting types. */

const libraries = [
  standardLibrary,
  stringsLibrary,
  listsLibraryV1,
  listExtensions,
  setsLibrary,
  regexLibrary,
  urlsLibrary,
  quantityLibrary,
  semverLibrary,
  ipLibrary,
  cidrLibrary,
  formatLibrary,
  optionalLibrary,
  authorizerLibrary,
  authorizerSelectorsLibrary,
];

interface Callable extends Overload {
  readonly name: string;
}

/** Not written in expressions. */
const hidden: ReadonlySet<string> = new Set([operators.notStrictlyFalse]);

const callables: readonly Callable[] = libraries
  .flatMap(({ functions = [] }) => functions)
  .filter(({ name }) => !hidden.has(name) && !name.includes('@sort') && !name.startsWith('cel.@'))
  .flatMap(({ name, overloads }) => overloads.map((overload) => ({ ...overload, name })));

type Bound = Map<string, CelType>;

/** Whether the result of a function can have the type; binds type parameters. */
function unifies(declared: CelType, wanted: CelType, bound: Bound): boolean {
  if (declared.kind === 'param') {
    const known = bound.get(declared.name);
    if (known !== undefined) return isSameType(known, wanted);
    bound.set(declared.name, wanted);
    return true;
  }
  if (declared.kind !== wanted.kind || declared.name !== wanted.name) return false;
  return declared.params.every((param, index) => unifies(param, wanted.params[index] ?? types.dyn, bound));
}

function substituted(type: CelType, bound: Bound, fresh: () => CelType): CelType {
  if (type.kind === 'param') {
    const known = bound.get(type.name) ?? fresh();
    bound.set(type.name, known);
    return known;
  }
  return type.params.length === 0
    ? type
    : { ...type, params: type.params.map((param) => substituted(param, bound, fresh)) };
}

interface Local {
  readonly name: string;
  readonly type: CelType;
}

/** Writes one expression for the variables of a setting. */
export class ExpressionWriter {
  readonly #random: Random;
  readonly #setting: string;
  #locals: readonly Local[] = [];

  constructor(random: Random, setting: string) {
    this.#random = random;
    this.#setting = setting;
  }

  written(): string {
    const depth = 2 + this.#random.below(3);
    return this.#expression(this.#random.chance(0.5) ? types.bool : this.#type(), depth);
  }

  #pick<T>(choices: readonly T[]): T {
    const choice = this.#random.pick(choices);
    if (choice === undefined) throw new Error('nothing to pick from');
    return choice;
  }

  #type(): CelType {
    return this.#pick(this.#random.chance(0.6) ? scalarTypes : compositeTypes);
  }

  #expression(wanted: CelType, depth: number): string {
    if (this.#random.chance(0.02)) return this.#expression(this.#type(), depth); // mostly a type error
    if (wanted.kind === 'dyn') return this.#dynamic(depth);
    const known = this.#variable(wanted);
    if (known !== undefined && this.#random.chance(depth > 0 ? 0.25 : 0.5)) return known;
    if (depth <= 0) return this.#term(wanted, depth);
    const choice = this.#random.next();
    if (choice < 0.07) return this.#conditional(wanted, depth);
    if (choice < 0.3) return this.#macro(wanted, depth) ?? this.#call(wanted, depth);
    if (choice < 0.35) return this.#element(wanted, depth);
    if (choice < 0.39) return this.#message(wanted, depth);
    return this.#call(wanted, depth);
  }

  #dynamic(depth: number): string {
    const known = this.#variable(types.dyn);
    if (known !== undefined && this.#random.chance(0.6)) return known;
    if (this.#random.chance(0.15)) return this.#message(types.dyn, depth);
    return this.#random.chance(0.5)
      ? this.#pick(termsOf(types.dyn))
      : `dyn(${this.#expression(this.#type(), depth - 1)})`;
  }

  #variable(wanted: CelType): string | undefined {
    const locals = this.#locals.filter(({ type }) => isSameType(type, wanted)).map(({ name }) => name);
    if (locals.length > 0 && this.#random.chance(0.7)) return this.#pick(locals);
    const fitting = variables.filter(([setting, , type]) => setting === this.#setting && isSameType(type, wanted));
    return this.#random.pick(fitting)?.[1];
  }

  #term(wanted: CelType, depth: number): string {
    const element = (of: CelType): string => this.#expression(of, depth - 1);
    switch (wanted.kind) {
      case 'list':
        return `[${this.#several(() => element(elementOf(wanted))).join(', ')}]`;
      case 'map':
        return `{${this.#several(() => `${element(elementOf(wanted))}: ${element(valueOf(wanted))}`).join(', ')}}`;
      case 'opaque':
        if (wanted.name !== 'optional_type') break;
        return this.#random.chance(0.3) ? 'optional.none()' : `optional.of(${element(elementOf(wanted))})`;
    }
    const terms = termsOf(wanted);
    return terms.length > 0 ? this.#pick(terms) : this.#call(wanted, depth);
  }

  #several(make: () => string): string[] {
    return Array.from({ length: this.#random.below(4) }, make);
  }

  #conditional(wanted: CelType, depth: number): string {
    const [condition, yes, no] = [types.bool, wanted, wanted].map((type) => this.#expression(type, depth - 1));
    return `(${condition} ? ${yes} : ${no})`;
  }

  /** A message that is of the type as a value, or any. */
  #message(wanted: CelType, depth: number): string {
    const fitting = messages.filter(({ type }) => isSameType(type, wanted));
    const { name, fields } = this.#pick(fitting.length > 0 ? fitting : messages);
    const value = (type: CelType): string =>
      this.#random.chance(0.2) ? this.#dynamic(depth - 1) : this.#expression(type, depth - 1);
    // Of the fields of a Value, the reference takes any.
    const names = Object.entries(fields);
    const given = names.length > 2 ? [this.#pick(names)] : names.slice(0, this.#random.below(3));
    return `${name}{${given.map(([field, type]) => `${field}: ${value(type)}`).join(', ')}}`;
  }

  /** A part of a list, map or optional. */
  #element(wanted: CelType, depth: number): string {
    const list = (): string => this.#expression(listType(wanted), depth - 1);
    const map = (): string => this.#expression(mapType(types.string, wanted), depth - 1);
    const text = (): string => this.#expression(types.string, 0);
    return this.#pick([
      () => `${list()}[${this.#expression(types.int, 0)}]`,
      () => `${map()}[${text()}]`,
      () => `${list()}[?${this.#expression(types.int, 0)}].orValue(${this.#expression(wanted, 0)})`,
      () => `${map()}[?${text()}].orValue(${this.#expression(wanted, 0)})`,
      () => `${map()}.a`,
      () => `${map()}.?a.or(${this.#expression(optionalType(wanted), 0)}).value()`,
    ])();
  }

  #call(wanted: CelType, depth: number): string {
    const fitting = callables.flatMap((callable) => {
      const bound: Bound = new Map();
      return unifies(callable.result, wanted, bound) ? [{ callable, bound }] : [];
    });
    // Functions of any type (operators, conditionals) are many; others are preferred.
    const exact = fitting.filter(({ callable }) => callable.result.kind !== 'param');
    const chosen = this.#random.pick(exact.length > 0 && this.#random.chance(0.8) ? exact : fitting);
    if (chosen === undefined || depth < -4) return this.#fallback(wanted);
    const { callable, bound } = chosen;
    const fresh = (): CelType => this.#type();
    const args = callable.args.map((arg) => this.#expression(substituted(arg, bound, fresh), depth - 1));
    return rendered(callable, args);
  }

  #fallback(wanted: CelType): string {
    return this.#random.pick(termsOf(wanted)) ?? '[]';
  }

  /** With one more variable. */
  #within(locals: readonly Local[], wanted: CelType, depth: number): string {
    const outer = this.#locals;
    this.#locals = [...outer, ...locals];
    const text = this.#expression(wanted, depth);
    this.#locals = outer;
    return text;
  }

  #macro(wanted: CelType, depth: number): string | undefined {
    const element = this.#pick(scalarTypes);
    const name = `v${this.#locals.length}`;
    const item: Local = { name, type: element };
    const index: Local = { name: `i${this.#locals.length}`, type: types.int };
    const range = (): string => this.#expression(listType(element), depth - 1);
    const body = (type: CelType, locals = [item]): string => this.#within(locals, type, depth - 1);
    const pair = `${index.name}, ${name}`;
    if (wanted.kind === 'bool') {
      const quantifier = this.#pick(['all', 'exists', 'exists_one', 'existsOne']);
      if (quantifier !== 'exists_one' && this.#random.chance(0.3)) {
        return `${range()}.${quantifier}(${pair}, ${body(types.bool, [index, item])})`;
      }
      return `${range()}.${quantifier === 'existsOne' ? 'exists_one' : quantifier}(${name}, ${body(types.bool)})`;
    }
    if (wanted.kind === 'list') {
      const result = elementOf(wanted);
      const filtered = `${this.#expression(wanted, depth - 1)}.filter(${name}, ${body(types.bool, [{ name, type: result }])})`;
      const input = this.#expression(wanted, depth - 1);
      return this.#pick([
        () => `${range()}.map(${name}, ${body(result)})`,
        () => `${range()}.map(${name}, ${body(types.bool)}, ${body(result)})`,
        () => filtered,
        () => `${range()}.transformList(${pair}, ${body(result, [index, item])})`,
        () => `${range()}.transformList(${pair}, ${body(types.bool, [index, item])}, ${body(result, [index, item])})`,
        () => `${input}.sortBy(${name}, ${body(this.#pick(scalarTypes), [{ name, type: result }])})`,
      ])();
    }
    if (wanted.kind === 'map') {
      const key: Local = { ...index, type: elementOf(wanted) };
      const input = this.#expression(mapType(elementOf(wanted), element), depth - 1);
      const locals = [key, item];
      return this.#random.chance(0.5)
        ? `${input}.transformMap(${pair}, ${body(valueOf(wanted), locals)})`
        : `${range()}.transformMapEntry(${pair}, {${body(elementOf(wanted), [index, item])}: ${body(valueOf(wanted), [index, item])}})`;
    }
    if (wanted.kind === 'opaque' && wanted.name === 'optional_type') {
      const input = this.#expression(optionalType(element), depth - 1);
      return this.#random.chance(0.5)
        ? `${input}.optMap(${name}, ${body(elementOf(wanted))})`
        : `${input}.optFlatMap(${name}, ${body(wanted)})`;
    }
    return undefined;
  }
}

function rendered({ name, isMember }: Callable, args: readonly string[]): string {
  const [first = '', second = '', third = ''] = args;
  if (name === operators.conditional) return `(${first} ? ${second} : ${third})`;
  if (name === operators.index) return `${first}[${second}]`;
  if (name === operators.optionalIndex) return `${first}[?${second}]`;
  if (name === operators.optionalSelect) return `${first}.?a`;
  if (name === operators.in) return `(${first} in ${second})`;
  const operator = /^(?:_)?([^a-zA-Z_@]+)_$/.exec(name)?.[1];
  if (operator !== undefined) return args.length === 1 ? `${operator}(${first})` : `(${first} ${operator} ${second})`;
  return isMember ? `${first}.${name}(${args.slice(1).join(', ')})` : `${name}(${args.join(', ')})`;
}
