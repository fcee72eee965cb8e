import { check, type CheckEnvironment } from '../check/checker.ts';
import type { FunctionDeclaration, Overload } from '../check/declarations.ts';
import type { Library } from '../libraries/define.ts';
import { standardLibrary, mixedComparisons } from '../libraries/standard.ts';
import { CelCompileError } from '../source.ts';
import { type Macro, macroKey } from '../syntax/macro.ts';
import { parse } from '../syntax/parser.ts';
import type { CelType } from '../types/cel-type.ts';
import { Expression } from './expression.ts';
import { messageTypes } from './message-types.ts';
import { type StructDeclaration, TypeRegistry, type TypeResolver } from './type-registry.ts';
import type { Validator } from './validator.ts';

/** Options of an environment besides its functions. */
export interface EnvironmentOptions {
  readonly libraries: readonly Library[];
  readonly validators: readonly Validator[];
  /** Cross-type numeric comparisons are enabled. */
  readonly mixedComparisons: boolean;
}

interface Parts {
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly macros: ReadonlyMap<string, Macro>;
  readonly types: TypeRegistry;
  readonly variables: ReadonlyMap<string, CelType>;
  readonly options: EnvironmentOptions;
}

/** What expressions are compiled against. Immutable: adding variables creates another one. */
export class Environment {
  readonly #parts: Parts;

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  static of(options: EnvironmentOptions): Environment {
    const libraries = [standardLibrary, ...options.libraries];
    const named = libraries.flatMap(({ types = [] }) => types).map((type) => [type.name, type] as const);
    const macros = libraries.flatMap((library) => library.macros ?? []);
    return new Environment({
      functions: merged(libraries.flatMap(({ functions = [] }) => functions)),
      macros: new Map(keyed(macros)),
      types: TypeRegistry.of(new Map(named), messageTypes),
      variables: new Map(),
      options,
    });
  }

  /** With more variables, and struct types for them, if types are declared. */
  with(
    variables: Iterable<readonly [name: string, type: CelType]>,
    structs?: readonly StructDeclaration[],
  ): Environment {
    const all = new Map([...this.#parts.variables, ...variables]);
    const { types } = this.#parts;
    return new Environment({
      ...this.#parts,
      variables: all,
      types: structs === undefined ? types : types.withStructs(structs),
    });
  }

  /** With the functions and macros of another library. */
  withLibrary({ functions = [], macros = [] }: Library): Environment {
    return new Environment({
      ...this.#parts,
      functions: merged([...this.#parts.functions.values(), ...functions]),
      macros: new Map([...this.#parts.macros, ...keyed(macros)]),
    });
  }

  /** With types that are resolved by name. */
  withTypes(resolve: TypeResolver): Environment {
    return new Environment({ ...this.#parts, types: this.#parts.types.withResolver(resolve) });
  }

  /** Throws CelCompileError. */
  check(text: string): Expression {
    const { macros, functions, types, variables, options } = this.#parts;
    const optionals = options.libraries.some(({ name }) => name === 'optional');
    const { expr, issues } = parse(text, { macros, optionals });
    if (issues.length > 0) throw new CelCompileError(text, issues);
    const environment: CheckEnvironment = {
      variables,
      functions,
      types,
      disabledOverloads: options.mixedComparisons ? none : mixed,
    };
    const { checked, issues: mistakes } = check(expr, environment);
    if (mistakes.length > 0) throw new CelCompileError(text, mistakes);
    const faults = options.validators.flatMap((validate) => validate(checked));
    if (faults.length > 0) throw new CelCompileError(text, faults);
    return new Expression(checked, { functions, types });
  }
}

function keyed(macros: readonly Macro[]): (readonly [key: string, macro: Macro])[] {
  return macros.map((macro) => [macroKey(macro.name, macro.argCount, macro.isMember), macro]);
}

const none: ReadonlySet<string> = new Set();
const mixed: ReadonlySet<string> = new Set(mixedComparisons);

/** Libraries may add overloads to functions of others. */
function merged(declarations: readonly FunctionDeclaration[]): ReadonlyMap<string, FunctionDeclaration> {
  const functions = new Map<string, FunctionDeclaration>();
  for (const declared of declarations) {
    const known = functions.get(declared.name);
    if (known === undefined) {
      functions.set(declared.name, declared);
      continue;
    }
    const overloads = new Map<string, Overload>();
    for (const overload of [...known.overloads, ...declared.overloads]) overloads.set(overload.id, overload);
    const isUnguarded = known.isUnguarded === true && declared.isUnguarded === true;
    functions.set(declared.name, { ...known, ...declared, overloads: [...overloads.values()], isUnguarded });
  }
  return functions;
}
