import type { CheckedExpr } from '../check/checked.ts';
import type { Call, Comprehension, Expr } from '../syntax/ast.ts';
import { type CelType, elementOf, isOptionalType } from '../types/cel-type.ts';
import { codePointCount } from '../source.ts';
import { isBytes } from '../values/value.ts';
import { accumulatorName, oldAccumulatorName } from '../syntax/ast.ts';
import { estimateCall } from './estimate-call.ts';
import type { DeclaredSize, EntrySize, EntrySizes, EstimatedNode } from './estimated-node.ts';
import { estimateStandardCall } from './estimate-standard-call.ts';
import { type Estimate, fixed, product, sum, unbounded, union, unknownSize } from './estimates.ts';

/** Estimated minimum and maximum cost of an expression, given the sizes of its variables. */
export function estimateCost(checked: CheckedExpr, declaredSize: DeclaredSize): Estimate {
  return new Estimator(checked, declaredSize).cost(checked.root);
}

interface Local {
  readonly name: string;
  readonly path: readonly string[];
  readonly size: Estimate | undefined;
  readonly entrySize: EntrySize | undefined;
}

const nothing: Estimate = { min: 0n, max: 0n };
const one = fixed(1);
/** The minimum is still unknown. */
const noSize: Estimate = { min: unbounded, max: 0n };

class Estimator implements EntrySizes {
  readonly #checked: CheckedExpr;
  readonly #declaredSize: DeclaredSize;
  readonly #paths = new Map<Expr, readonly string[]>();
  readonly #sizes = new Map<Expr, Estimate>();
  readonly #entrySizes = new Map<Expr, EntrySize>();
  readonly #locals: Local[] = [];

  constructor(checked: CheckedExpr, declaredSize: DeclaredSize) {
    this.#checked = checked;
    this.#declaredSize = declaredSize;
  }

  cost(expr: Expr): Estimate {
    const name = expr.kind === 'struct' ? undefined : this.#checked.nameOf(expr);
    if (name !== undefined) return this.#name(expr, name.isGlobal ? `.${name.name}` : name.name);
    switch (expr.kind) {
      case 'literal':
      case 'ident':
        return nothing;
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        return sum(fixed(40), ...expr.fields.map(({ value }) => this.cost(value)));
      case 'comprehension':
        return isBinding(expr) ? this.#binding(expr) : this.#loop(expr);
    }
  }

  #name(expr: Expr, name: string): Estimate {
    this.#paths.set(expr, this.#local(name)?.path ?? [name]);
    return one;
  }

  #local(name: string): Local | undefined {
    return this.#locals.findLast((local) => local.name === name);
  }

  /** The comprehension variable that an expression denotes. */
  #localOf(expr: Expr): Local | undefined {
    const name = expr.kind === 'struct' ? undefined : this.#checked.nameOf(expr);
    return name === undefined || name.isGlobal ? undefined : this.#local(name.name);
  }

  #select(expr: Expr & { readonly kind: 'select' }): Estimate {
    const operand = this.cost(expr.operand);
    if (expr.isTest) return operand;
    const { kind } = this.#checked.typeOf(expr.operand);
    this.#paths.set(expr, [...(this.#path(expr.operand) ?? []), expr.field]);
    return kind === 'map' || kind === 'struct' || kind === 'param' ? sum(operand, one) : operand;
  }

  #call(expr: Call): Estimate {
    const reference = this.#checked.callOf(expr);
    if (reference === undefined) return nothing;
    const [only] = expr.args;
    if (reference.function === 'dyn' && only !== undefined) {
      const cost = this.cost(only);
      this.#copySizes(expr, only);
      return sum(cost, one);
    }
    const argCosts = expr.args.map((arg) => this.cost(arg));
    const args = expr.args.map((arg) => this.#node(arg));
    const targetExpr = this.#checked.targetOf(expr);
    const targetCost = targetExpr === undefined ? nothing : this.cost(targetExpr);
    const target = targetExpr && this.#node(targetExpr);
    let cost = noSize;
    let size: Estimate | undefined;
    for (const overload of reference.overloads) {
      const call = { function: reference.function, overload, target, args, declaredSize: this.#declaredSize };
      const estimate = estimateCall(call);
      const full =
        estimate === undefined
          ? estimateStandardCall(call, { argCosts, expr, estimator: this })
          : { ...estimate, cost: sum(estimate.cost, ...argCosts) };
      cost = union(cost, full.cost);
      if (full.size !== undefined) size = size === undefined ? full.size : union(size, full.size);
      if (overload === 'index_list' || overload === 'index_map') size = this.#indexed(expr, overload);
      size ??= this.size(expr);
    }
    if (size !== undefined) this.#sizes.set(expr, size);
    return sum(targetCost, cost);
  }

  #indexed(expr: Call, overload: 'index_list' | 'index_map'): Estimate | undefined {
    const [container] = expr.args;
    if (container === undefined) return undefined;
    const step = overload === 'index_list' ? '@items' : '@values';
    this.#paths.set(expr, [...(this.#path(container) ?? []), step]);
    return this.entrySize(container)?.value;
  }

  #list(expr: Expr & { readonly kind: 'list' }): Estimate {
    let cost = fixed(10);
    let size = expr.elements.length === 0 ? nothing : noSize;
    for (const { value } of expr.elements) {
      cost = sum(cost, this.cost(value));
      size = union(size, this.size(value) ?? unknownSize);
    }
    this.#entrySizes.set(expr, { kind: 'list', key: one, value: size });
    return cost;
  }

  #map(expr: Expr & { readonly kind: 'map' }): Estimate {
    let cost = fixed(30);
    let [key, value] = expr.entries.length === 0 ? [nothing, nothing] : [noSize, noSize];
    for (const entry of expr.entries) {
      cost = sum(cost, this.cost(entry.key), this.cost(entry.value));
      key = union(key, this.size(entry.key) ?? unknownSize);
      value = union(value, this.size(entry.value) ?? unknownSize);
    }
    this.#entrySizes.set(expr, { kind: 'map', key, value });
    return cost;
  }

  #loop(expr: Comprehension): Estimate {
    const start = sum(this.cost(expr.range), this.cost(expr.init));
    this.#pushAccumulator(expr);
    this.#pushItems(expr);
    const perItem = sum(this.cost(expr.condition), this.cost(expr.step));
    this.#locals.length -= expr.second === undefined ? 1 : 2;
    const result = this.cost(expr.result);
    this.#locals.pop();
    const count = this.size(expr.range) ?? unknownSize;
    if (expr.init.kind === 'literal') this.#sizes.set(expr, this.size(expr.init) ?? one);
    if (expr.init.kind === 'list' || expr.init.kind === 'map') {
      this.#sizes.set(expr, count);
      const entries = this.entrySize(expr.step);
      if (entries !== undefined) this.#entrySizes.set(expr, entries);
    }
    return sum(start, result, product(count, perItem));
  }

  #binding(expr: Comprehension): Estimate {
    const start = sum(this.cost(expr.range), this.cost(expr.init));
    this.#pushAccumulator(expr);
    const cost = sum(start, this.cost(expr.result));
    this.#locals.pop();
    this.#copySizes(expr, expr.result);
    return cost;
  }

  #pushAccumulator({ accumulator, init }: Comprehension): void {
    this.#locals.push({
      name: accumulator,
      path: this.#path(init) ?? [],
      size: this.size(init),
      entrySize: this.entrySize(init),
    });
  }

  #pushItems({ range, item, second }: Comprehension): void {
    const entries = this.entrySize(range);
    const isList = (entries?.kind ?? this.#checked.typeOf(range).kind) === 'list';
    const path = this.#path(range) ?? [];
    const value = { path: [...path, isList ? '@items' : '@values'], size: entries?.value, entrySize: undefined };
    const index = { path: [...path, isList ? '@indices' : '@keys'], size: entries?.key, entrySize: undefined };
    const first = second === undefined && isList ? value : index;
    this.#locals.push({ name: item, ...first });
    if (second !== undefined) this.#locals.push({ name: second, ...value });
  }

  #path(expr: Expr): readonly string[] | undefined {
    return this.#localOf(expr)?.path ?? this.#paths.get(expr);
  }

  #node(expr: Expr): EstimatedNode {
    const path = this.#path(expr);
    const isAccumulator = path?.[0] === accumulatorName || path?.[0] === oldAccumulatorName;
    return { path: isAccumulator ? undefined : path, type: this.#checked.typeOf(expr), expr, size: this.size(expr) };
  }

  #copySizes(to: Expr, from: Expr): void {
    const [size, entries] = [this.size(from), this.entrySize(from)];
    if (size !== undefined) this.#sizes.set(to, size);
    if (entries !== undefined) this.#entrySizes.set(to, entries);
  }

  setEntrySize(expr: Expr, size: EntrySize): void {
    this.#entrySizes.set(expr, size);
  }

  entrySize(expr: Expr): EntrySize | undefined {
    return this.#entrySizes.get(expr) ?? this.#localOf(expr)?.entrySize;
  }

  /** Undefined when unknown. */
  size(expr: Expr): Estimate | undefined {
    const known = this.#sizes.get(expr) ?? this.#literalSize(expr);
    if (known !== undefined) return known;
    const path = this.#path(expr);
    const declared = path === undefined || path.length === 0 ? undefined : this.#declaredSize(path);
    if (declared !== undefined) {
      const size = { min: 0n, max: BigInt(declared) };
      this.#sizes.set(expr, size);
      return size;
    }
    return isScalar(this.#checked.typeOf(expr)) ? one : this.#localOf(expr)?.size;
  }

  #literalSize(expr: Expr): Estimate | undefined {
    if (this.#checked.nameOf(expr) !== undefined) return undefined;
    if (expr.kind === 'list') return fixed(expr.elements.length);
    if (expr.kind === 'map') return fixed(expr.entries.length);
    if (expr.kind !== 'literal') return undefined;
    if (typeof expr.value === 'string') return fixed(codePointCount(expr.value));
    return isBytes(expr.value) ? fixed(expr.value.length) : one;
  }
}

/** A comprehension that never iterates costs one variable access. */
function isBinding({ range, condition }: Comprehension): boolean {
  return (
    range.kind === 'list' && range.elements.length === 0 && condition.kind === 'literal' && condition.value === false
  );
}

const scalars: ReadonlySet<CelType['kind']> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

function isScalar(type: CelType): boolean {
  return scalars.has(type.kind) || (isOptionalType(type) && isScalar(elementOf(type)));
}
