import type { Issue } from '../source.ts';
import type { Call, Comprehension, Element, Expr, ListExpr, MapExpr, Select, StructExpr } from '../syntax/ast.ts';
import { operators } from '../syntax/ast.ts';
import {
  type CelType,
  declaredName,
  elementOf,
  isDyn,
  listType,
  mapType,
  optionalType,
  typeOfType,
  types,
  typeText,
  valueOf,
} from '../types/cel-type.ts';
import { mostGeneral, TypeVariables, unwrapOptional } from '../types/type-variables.ts';
import { type CallReference, CheckedExpr, type NameReference } from './checked.ts';
import type { FunctionDeclaration, TypeProvider } from './declarations.ts';
import { literalType } from './literal-type.ts';
import { type Resolution, resolveOverload } from './resolve-overload.ts';
import { Scopes } from './scopes.ts';
import { wellKnownName } from './well-known.ts';

/** The environment of a check. */
export interface CheckEnvironment {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly types: TypeProvider;
  /** Disabled overloads. */
  readonly disabledOverloads: ReadonlySet<string>;
}

export interface CheckResult {
  readonly checked: CheckedExpr;
  readonly issues: readonly Issue[];
}

export function check(expr: Expr, environment: CheckEnvironment): CheckResult {
  const checker = new Checker(environment);
  return { checked: checker.check(expr), issues: checker.issues };
}

class Checker {
  readonly issues: Issue[] = [];
  readonly #environment: CheckEnvironment;
  readonly #variables = new TypeVariables();
  readonly #scopes = new Scopes();
  readonly #types = new Map<Expr, CelType>();
  readonly #names = new Map<Expr, NameReference>();
  readonly #calls = new Map<Expr, CallReference>();

  constructor(environment: CheckEnvironment) {
    this.#environment = environment;
  }

  check(expr: Expr): CheckedExpr {
    this.#check(expr);
    const resolved = new Map<Expr, CelType>();
    for (const [each, type] of this.#types) resolved.set(each, this.#variables.resolve(type, true));
    return new CheckedExpr(expr, resolved, { names: this.#names, calls: this.#calls });
  }

  #report(at: number, message: string): void {
    this.issues.push({ at, message });
  }

  #check(expr: Expr): CelType {
    const type = this.#typeOf(expr);
    this.#types.set(expr, type);
    return type;
  }

  #typeOf(expr: Expr): CelType {
    switch (expr.kind) {
      case 'literal':
        return literalType(expr.value);
      case 'ident':
        return this.#name(expr, [expr.name]) ?? this.#undeclared(expr.at, expr.name);
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        return this.#struct(expr);
      case 'comprehension':
        return this.#comprehension(expr);
    }
  }

  #undeclared(at: number, name: string): CelType {
    this.#report(at, `undeclared reference to '${name}' (in container '')`);
    return types.error;
  }

  /** The variable or type that a qualified name resolves to. */
  #name(expr: Expr, parts: readonly string[]): CelType | undefined {
    const [first = ''] = parts;
    const local = this.#scopes.find(first.replace(/^\./, ''));
    if (local !== undefined && !first.startsWith('.')) {
      if (parts.length > 1) return undefined;
      this.#names.set(expr, { kind: 'name', name: first, isGlobal: false });
      return local;
    }
    const name = parts.join('.').replace(/^\./, '');
    const type = this.#globalName(name);
    if (type !== undefined) this.#names.set(expr, { kind: 'name', name, isGlobal: local !== undefined });
    return type;
  }

  #globalName(name: string): CelType | undefined {
    const variable = this.#environment.variables.get(name);
    if (variable !== undefined) return variable;
    const { types: provider } = this.#environment;
    const named = provider.namedType(name);
    if (named !== undefined) return typeOfType(named);
    const constant = provider.constantOf(name);
    return constant === undefined ? undefined : literalType(constant);
  }

  #select(expr: Select): CelType {
    const parts = partsOf(expr);
    const named = parts === undefined ? undefined : this.#name(expr, parts);
    if (named !== undefined) return named;
    const field = this.#field(expr, { operand: expr.operand, name: expr.field, isOptional: false });
    return expr.isTest ? types.bool : this.#variables.resolve(field);
  }

  #field(expr: Expr, field: { readonly operand: Expr; readonly name: string; readonly isOptional: boolean }): CelType {
    const operand = this.#variables.resolve(this.#check(field.operand));
    const { type, wasOptional } = unwrapOptional(operand);
    const result = this.#fieldOf(type, expr.at, field.name);
    return wasOptional || field.isOptional ? optionalType(result) : result;
  }

  #fieldOf(type: CelType, at: number, name: string): CelType {
    switch (type.kind) {
      case 'map':
        return valueOf(type);
      case 'struct':
        return this.#structField(type.name, at, name) ?? types.error;
      case 'param':
        this.#variables.isAssignable(types.dyn, type);
        return types.dyn;
      case 'dyn':
      case 'any':
      case 'error':
        return types.dyn;
      default:
        this.#report(at, `type '${typeText(type)}' does not support field selection`);
        return types.dyn;
    }
  }

  #structField(struct: string, at: number, name: string): CelType | undefined {
    if (!this.#environment.types.isStruct(struct)) {
      this.#report(at, `unexpected failed resolution of '${struct}'`);
      return undefined;
    }
    const type = this.#environment.types.fieldType(struct, name);
    if (type === undefined) this.#report(at, `undefined field '${name}'`);
    return type;
  }

  #call(expr: Call): CelType {
    if (expr.function === operators.optionalSelect) return this.#optionalSelect(expr);
    const args = expr.args.map((arg) => this.#check(arg));
    const { target } = expr;
    if (target === undefined) {
      const declared = this.#environment.functions.get(expr.function.replace(/^\./, ''));
      if (declared === undefined) return this.#undeclared(expr.at, expr.function);
      return this.#resolved(expr, declared, { args, isMember: false, isQualified: false });
    }
    const prefix = qualifiedName(target);
    const qualified = prefix && this.#environment.functions.get(`${prefix}.${expr.function}`.replace(/^\./, ''));
    if (qualified) return this.#resolved(expr, qualified, { args, isMember: false, isQualified: true });
    const all = [this.#check(target), ...args];
    const declared = this.#environment.functions.get(expr.function);
    if (declared === undefined) return this.#undeclared(expr.at, expr.function);
    return this.#resolved(expr, declared, { args: all, isMember: true, isQualified: false });
  }

  #optionalSelect(expr: Call): CelType {
    const [operand, key] = expr.args;
    if (operand === undefined || key?.kind !== 'literal' || typeof key.value !== 'string') {
      throw new Error('an optional selection has an operand and a field');
    }
    const type = this.#field(expr, { operand, name: key.value, isOptional: true });
    const call = { function: expr.function, overloads: ['select_optional_field'], isQualified: false };
    this.#calls.set(expr, { kind: 'call', ...call });
    return this.#variables.resolve(type);
  }

  #resolved(
    expr: Call,
    declared: FunctionDeclaration,
    call: { readonly args: readonly CelType[]; readonly isMember: boolean; readonly isQualified: boolean },
  ): CelType {
    const { args, isMember, isQualified } = call;
    const disabled = this.#scopes.hasBeenEntered ? undefined : this.#environment.disabledOverloads;
    const resolution: Resolution = resolveOverload(declared, args, { isMember, disabled, variables: this.#variables });
    if ('issues' in resolution) {
      for (const { argument, message } of resolution.issues) {
        this.#report(argument === undefined ? expr.at : (expr.args[argument]?.at ?? expr.at), message);
      }
      return types.error;
    }
    const { overloads, type } = resolution;
    this.#calls.set(expr, { kind: 'call', function: declared.name, overloads, isQualified });
    return type;
  }

  #list({ elements }: ListExpr): CelType {
    let joined: CelType | undefined;
    for (const element of elements) {
      const type = this.#elementType(element, this.#check(element.value));
      joined = this.#join(joined, type);
    }
    return listType(joined ?? this.#variables.fresh());
  }

  #elementType({ value, isOptional }: Element, type: CelType): CelType {
    if (!isOptional) return type;
    const unwrapped = unwrapOptional(type);
    if (!unwrapped.wasOptional && !isDyn(type)) this.#mismatch(value.at, optionalType(type), type);
    return unwrapped.type;
  }

  #map({ entries }: MapExpr): CelType {
    let keys: CelType | undefined;
    let values: CelType | undefined;
    for (const entry of entries) {
      keys = this.#join(keys, this.#check(entry.key));
      const type = this.#elementType(entry, this.#check(entry.value));
      values = this.#join(values, type);
    }
    return mapType(keys ?? this.#variables.fresh(), values ?? this.#variables.fresh());
  }

  #join(previous: CelType | undefined, current: CelType): CelType {
    if (previous === undefined) return current;
    if (this.#variables.isAssignable(previous, current)) return mostGeneral(previous, current);
    return types.dyn;
  }

  #mismatch(at: number, expected: CelType, found: CelType): void {
    this.#report(at, `expected type '${typeText(expected)}' but found '${typeText(found)}'`);
  }

  #struct(expr: StructExpr): CelType {
    const name = expr.typeName.replace(/^\./, '');
    const named = this.#environment.types.namedType(name);
    if (named === undefined) return this.#undeclared(expr.at, expr.typeName);
    this.#names.set(expr, { kind: 'name', name, isGlobal: false });
    const wellKnown = wellKnownName(named);
    let result = named;
    if (wellKnown === undefined && named.kind !== 'struct') {
      this.#report(expr.at, `'${declaredName(named)}' is not a message type`);
      result = types.error;
    }
    this.#types.set(expr, result);
    for (const field of expr.fields) {
      const given = this.#elementType(field, this.#check(field.value));
      const type = this.#structField(wellKnown ?? name, field.at, field.name) ?? types.error;
      if (this.#variables.isAssignable(type, given)) continue;
      const texts = [typeText(type), typeText(given)] as const;
      const message = `expected type of field '${field.name}' is '${texts[0]}' but provided type is '${texts[1]}'`;
      this.#report(field.at, message);
    }
    return result;
  }

  #comprehension(expr: Comprehension): CelType {
    const range = this.#variables.resolve(this.#check(expr.range));
    const accumulated = this.#check(expr.init);
    return this.#scopes.within(new Map([[expr.accumulator, accumulated]]), () => {
      const [item, second] = this.#itemTypes(expr, range);
      const variables = new Map([[expr.item, item]]);
      if (expr.second !== undefined) variables.set(expr.second, second);
      this.#scopes.within(variables, () => {
        this.#expect(expr.condition, types.bool);
        this.#expect(expr.step, accumulated);
      });
      return this.#variables.resolve(this.#check(expr.result));
    });
  }

  #expect(expr: Expr, type: CelType): void {
    const found = this.#check(expr);
    if (!this.#variables.isAssignable(type, found)) this.#mismatch(expr.at, type, found);
  }

  /** Types of comprehension variables. */
  #itemTypes({ range: { at }, second }: Comprehension, range: CelType): readonly [CelType, CelType] {
    switch (range.kind) {
      case 'list':
        return second === undefined ? [elementOf(range), types.dyn] : [types.int, elementOf(range)];
      case 'map':
        return [elementOf(range), valueOf(range)];
      case 'dyn':
      case 'error':
      case 'param':
        this.#variables.isAssignable(types.dyn, range);
        return [types.dyn, types.dyn];
      default: {
        const message = 'cannot be range of a comprehension (must be list, map, or dynamic)';
        this.#report(at, `expression of type '${typeText(range)}' ${message}`);
        return [types.error, types.error];
      }
    }
  }
}

/** The segments of `a.b.c`; undefined for other expressions. */
function partsOf(expr: Expr): string[] | undefined {
  const parts: string[] = [];
  let next = expr;
  while (next.kind === 'select' && !next.isTest) {
    parts.push(next.field);
    next = next.operand;
  }
  if (next.kind !== 'ident' || parts.length === 0) return undefined;
  parts.push(next.name);
  return parts.reverse();
}

function qualifiedName(expr: Expr): string | undefined {
  return expr.kind === 'ident' ? expr.name : partsOf(expr)?.join('.');
}
