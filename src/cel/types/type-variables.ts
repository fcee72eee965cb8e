import { elementOf, isDyn, isSameType, paramType, types, type CelType } from './cel-type.ts';

/**
 * Substitutions of type parameters, inferred from an expression. Failed attempts are undone.
 *
 * `isAssignable(t1, t2)` may bind parameters on either side, so its result depends on earlier calls.
 */
export class TypeVariables {
  readonly #bound = new Map<string, CelType>();
  /** What each binding replaced, to undo it. */
  readonly #trail: (readonly [name: string, before: CelType | undefined])[] = [];
  #count = 0;

  fresh(): CelType {
    const variable = paramType(`_var${this.#count}`);
    this.#count += 1;
    return variable;
  }

  isAssignable(to: CelType, from: CelType): boolean {
    return this.#attempt(() => this.#fits(to, from));
  }

  areAssignable(to: readonly CelType[], from: readonly CelType[]): boolean {
    return this.#attempt(() => this.#allFit(to, from));
  }

  /** The type with all substitutions applied; unbound parameters may become dyn. */
  resolve(type: CelType, unknownIsDyn = false): CelType {
    if (type.kind === 'param') {
      const bound = this.#bound.get(type.name);
      if (bound !== undefined) return this.resolve(bound, unknownIsDyn);
      return unknownIsDyn ? types.dyn : type;
    }
    if (type.params.length === 0) return type;
    return { ...type, params: type.params.map((param) => this.resolve(param, unknownIsDyn)) };
  }

  #attempt(try_: () => boolean): boolean {
    const start = this.#trail.length;
    if (try_()) {
      this.#trail.length = start;
      return true;
    }
    for (let undo = this.#trail.pop(); undo !== undefined; undo = this.#trail.pop()) {
      const [name, before] = undo;
      if (before === undefined) this.#bound.delete(name);
      else this.#bound.set(name, before);
    }
    return false;
  }

  #bind({ name }: CelType, to: CelType): void {
    this.#trail.push([name, this.#bound.get(name)]);
    this.#bound.set(name, to);
  }

  #fits(t1: CelType, t2: CelType): boolean {
    if (t2.kind === 'param') {
      const { fits, wasBound } = this.#substitutes(t1, t2);
      if (fits) return true;
      if (wasBound) return false;
    }
    if (t1.kind === 'param') return this.#substitutes(t2, t1).fits;
    if (isDynOrError(t1) || isDynOrError(t2)) return true;
    if (t1.kind === 'null') return takesNull(t2);
    if (t2.kind === 'null') return takesNull(t1);
    switch (t1.kind) {
      case 'type':
        return t2.kind === 'type';
      case 'opaque':
      case 'list':
      case 'map':
        return t1.kind === t2.kind && t1.name === t2.name && this.#allFit(t1.params, t2.params);
      default:
        return t1.kind === t2.kind && t1.name === t2.name && t1.params.length === t2.params.length;
    }
  }

  #allFit(l1: readonly CelType[], l2: readonly CelType[]): boolean {
    return l1.length === l2.length && l1.every((t1, index) => this.#fits(t1, l2[index] ?? types.dyn));
  }

  /** Binds the variable to the type if possible. */
  #substitutes(type: CelType, variable: CelType): { readonly fits: boolean; readonly wasBound: boolean } {
    if (type.kind === 'param' && isSameType(type, variable)) return { fits: true, wasBound: true };
    const bound = this.#bound.get(variable.name);
    if (bound === undefined) {
      if (!this.#isFree(variable, type)) return { fits: false, wasBound: false };
      this.#bind(variable, type);
      return { fits: true, wasBound: false };
    }
    if (type.kind === bound.kind && isSameType(type, bound)) return { fits: true, wasBound: true };
    if (!this.#fits(type, bound)) return { fits: false, wasBound: true };
    const general = mostGeneral(type, bound);
    if (this.#isFree(variable, general)) this.#bind(variable, general);
    return { fits: true, wasBound: true };
  }

  /** Occurs check. */
  #isFree(variable: CelType, within: CelType): boolean {
    if (isSameType(variable, within)) return false;
    if (within.kind === 'param') {
      const bound = this.#bound.get(within.name);
      return bound === undefined || this.#isFree(variable, bound);
    }
    return within.params.every((param) => this.#isFree(variable, param));
  }
}

function isDynOrError(type: CelType): boolean {
  return isDyn(type) || type.kind === 'error';
}

const nullableKinds: ReadonlySet<CelType['kind']> = new Set([
  'opaque',
  'struct',
  'any',
  'duration',
  'timestamp',
  'null',
  'dyn',
] as const);

function takesNull({ kind, isNullable }: CelType): boolean {
  return isNullable === true || nullableKinds.has(kind);
}

/** The more general of two types, of which one accepts the other. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isAtMostAsSpecific(a, b) ? a : b;
}

function isAtMostAsSpecific(a: CelType, b: CelType): boolean {
  if (isDyn(a) || a.kind === 'param') return true;
  if (isDyn(b) || b.kind === 'param') return false;
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'opaque':
    case 'list':
    case 'map':
      return (
        a.name === b.name &&
        a.params.length === b.params.length &&
        a.params.every((param, index) => isAtMostAsSpecific(param, b.params[index] ?? types.dyn))
      );
    case 'type':
      return true;
    default:
      return isSameType(a, b);
  }
}

/** The value type of an optional, and whether it is one. */
export function unwrapOptional(type: CelType): { readonly type: CelType; readonly wasOptional: boolean } {
  const wasOptional = type.kind === 'opaque' && type.name === 'optional_type';
  return { type: wasOptional ? elementOf(type) : type, wasOptional };
}
