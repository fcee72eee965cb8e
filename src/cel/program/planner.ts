import type { CallReference, CheckedExpr } from '../check/checked.ts';
import type { FunctionDeclaration, TypeProvider } from '../check/declarations.ts';
import { callCost } from '../cost/call-cost.ts';
import { type Call, type Comprehension, type Expr, operators, type Select, type StructExpr } from '../syntax/ast.ts';
import { visiting } from '../syntax/visited-parts.ts';
import { CelError, TypeValue, type Value } from '../values/value.ts';
import type { Attribute } from './attribute.ts';
import { callEvaluator, implementationOf } from './calls.ts';
import { constantCall, isConversion, membershipNode, regexNode } from './constants.ts';
import { listNode, mapNode, structNode } from './constructors.ts';
import { CelProgramError, type Evaluate } from './frame.ts';
import { conditionalBase, equalityEvaluator, inequalityEvaluator, logicEvaluator, notStrictlyFalse } from './logic.ts';
import { accumulatorEvaluator, loopEvaluator } from './loops.ts';
import { asAttribute, attributeNode, constantNode, type Node, otherNode, unobserved } from './node.ts';
import { orEvaluator, orValueEvaluator } from './optional-calls.ts';
import { isKey, type Qualifier } from './qualifier.ts';
import { goTypeName } from '../values/texts.ts';

export interface PlanEnvironment {
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly types: TypeProvider;
}

export interface Plan {
  readonly evaluate: Evaluate;
  /** Variables of the environment in use, in the order of a frame's inputs. */
  readonly inputs: readonly string[];
  readonly localCount: number;
}

/** Compiles a checked expression to closures, with pauses. Throws CelProgramError. */
export function* planning(checked: CheckedExpr, environment: PlanEnvironment): Generator<undefined, Plan> {
  const planner = new Planner(checked, environment);
  const { evaluate } = yield* visiting(checked.root, planner.parts, (part) => planner.plan(part));
  return { evaluate, inputs: planner.inputs, localCount: planner.localCount };
}

interface Local {
  readonly name: string;
  readonly read: Evaluate;
}

class Planner {
  /** The parts of a large expression. */
  readonly parts = new Map<Expr, Node>();
  readonly inputs: string[] = [];
  localCount = 0;
  readonly #checked: CheckedExpr;
  readonly #environment: PlanEnvironment;
  readonly #locals: Local[] = [];

  constructor(checked: CheckedExpr, environment: PlanEnvironment) {
    this.#checked = checked;
    this.#environment = environment;
  }

  plan(expr: Expr): Node {
    const known = this.parts.get(expr);
    if (known !== undefined) return known;
    switch (expr.kind) {
      case 'literal':
        return constantNode(expr.value);
      case 'ident':
        return this.#name(expr, expr.name);
      case 'select':
        return this.#checked.nameOf(expr) === undefined ? this.#select(expr) : this.#name(expr, '');
      case 'call':
        return this.#call(expr);
      case 'list':
        return listNode(expr.elements.map(({ value, isOptional }) => ({ value: this.plan(value), isOptional })));
      case 'map':
        return mapNode(
          expr.entries.map(({ key, value, isOptional }) => ({
            key: this.plan(key),
            value: this.plan(value),
            isOptional,
          })),
        );
      case 'struct':
        return this.#struct(expr);
      case 'comprehension':
        return this.#loop(expr);
    }
  }

  #name(expr: Expr, written: string): Node {
    const reference = this.#checked.nameOf(expr);
    const name = reference?.name ?? written;
    // Every name of a type is that of a type for the reference, even if a variable has this name.
    if (this.#checked.typeOf(expr).kind === 'type') return constantNode(this.#typeNamed(name));
    const local = reference?.isGlobal === true ? undefined : this.#locals.findLast((each) => each.name === name);
    const constant = local === undefined ? this.#environment.types.constantOf(name) : undefined;
    if (constant !== undefined) return constantNode(constant);
    return attributeNode({ base: local?.read ?? this.#input(name), qualifiers: [], cost: 1, isTest: false });
  }

  #typeNamed(name: string): Value {
    const type = this.#environment.types.typeValueOf(name);
    if (type === undefined) throw new CelProgramError(`reference to undefined type: ${name}`);
    return new TypeValue(type);
  }

  #input(name: string): Evaluate {
    const known = this.inputs.indexOf(name);
    const index = known >= 0 ? known : this.inputs.push(name) - 1;
    const missing = new CelError(`no such attribute(s): ${name}`);
    return ({ inputs }) => inputs[index] ?? (inputs[index] === null ? null : missing);
  }

  #select(expr: Select): Node {
    const isDeclared = this.#isStruct(expr.operand);
    const step: Qualifier = { isOptional: false, isTest: expr.isTest, isDeclared, key: expr.field, keyOf: undefined };
    return attributeNode({ ...withStep(asAttribute(this.plan(expr.operand)), step), isTest: expr.isTest });
  }

  #isStruct(expr: Expr | undefined): boolean {
    return expr !== undefined && this.#checked.typeOf(expr).kind === 'struct';
  }

  #call(expr: Call): Node {
    const reference = this.#checked.callOf(expr);
    if (reference === undefined) throw new Error(`a call of ${expr.function} has not been checked`);
    const args = this.#checked.argsOf(expr).map((arg) => this.plan(arg));
    if (reference.function === operators.optionalSelect) {
      return indexed(args, { isOptional: true, isDeclared: this.#isStruct(expr.args[0]) });
    }
    const special = specialCalls.get(reference.function);
    return special === undefined ? this.#function(expr, reference, args) : special(args);
  }

  #function(expr: Call, reference: CallReference, args: readonly Node[]): Node {
    const [only] = reference.overloads.length === 1 ? reference.overloads : [];
    const optional = only === undefined ? undefined : optionalCalls.get(only);
    const evaluates = args.map(({ evaluate }) => evaluate);
    if (optional !== undefined) return otherNode(optional(evaluates));
    const declared = this.#environment.functions.get(reference.function);
    const types = this.#checked.argsOf(expr).map((arg) => this.#checked.typeOf(arg));
    const implementation = declared && implementationOf(declared, reference, types);
    if (implementation === undefined) throw new CelProgramError(`no such overload: ${reference.function}`);
    const cost = callCost(reference.function, only ?? '');
    if (isConversion(reference.function) && args.length === 1) {
      const constant = constantCall(implementation, args);
      if (constant !== undefined) return constant;
    }
    const node =
      (only === 'in_list' ? membershipNode(args) : undefined) ?? regexNode(reference.function, { args, cost });
    return node ?? otherNode(callEvaluator({ implementation, cost }, evaluates));
  }

  #struct(expr: StructExpr): Node {
    const name = this.#checked.nameOf(expr)?.name ?? expr.typeName;
    if (!this.#environment.types.isStruct(name)) throw new CelProgramError(`unknown type: ${name}`);
    const fields = expr.fields.map((field) => ({ ...field, value: this.plan(field.value) }));
    return structNode(name, fields, (values) => this.#environment.types.construct(name, values));
  }

  #loop(expr: Comprehension): Node {
    const init = this.plan(expr.init).evaluate;
    const range = this.plan(expr.range).evaluate;
    const accumulator = this.#slot();
    this.#locals.push({ name: expr.accumulator, read: accumulatorEvaluator(accumulator, init) });
    const item = this.#variable(expr.item);
    const second = expr.second === undefined ? undefined : this.#variable(expr.second);
    const condition = this.plan(expr.condition).evaluate;
    const step = this.plan(expr.step).evaluate;
    this.#locals.splice(second === undefined ? -1 : -2);
    const result = this.plan(expr.result).evaluate;
    this.#locals.pop();
    return otherNode(loopEvaluator({ range, condition, step, result, accumulator, item, second }));
  }

  #variable(name: string): number {
    const slot = this.#slot();
    this.#locals.push({ name, read: ({ locals }) => locals[slot] ?? null });
    return slot;
  }

  #slot(): number {
    this.localCount += 1;
    return this.localCount - 1;
  }
}

function withStep(attribute: Attribute, step: Qualifier): Attribute {
  return { ...attribute, qualifiers: [...attribute.qualifiers, step], isTest: false };
}

function indexed(
  [target, index]: readonly Node[],
  { isOptional = false, isDeclared = false }: Partial<Qualifier>,
): Node {
  if (target === undefined || index === undefined) throw new Error('an index has two arguments');
  const isConstant = index.kind === 'constant';
  if (isConstant && !isKey(index.value)) {
    throw new CelProgramError(`invalid qualifier type: ${goTypeName(index.value)}`);
  }
  const key: Value | undefined = isConstant ? index.value : undefined;
  const keyOf = isConstant ? undefined : unobserved(index);
  return attributeNode(withStep(asAttribute(target), { isOptional, isTest: false, isDeclared, key, keyOf }));
}

/** Functions that evaluate their arguments lazily, or are not calls at all. */
const specialCalls: ReadonlyMap<string, (args: readonly Node[]) => Node> = new Map([
  [operators.and, (args) => otherNode(logicEvaluator(false, evaluatesOf(args)))],
  [operators.or, (args) => otherNode(logicEvaluator(true, evaluatesOf(args)))],
  [operators.notStrictlyFalse, ([arg]) => otherNode(notStrictlyFalse(evaluatesOf([arg])))],
  [operators.equals, (args) => otherNode(equalityEvaluator(evaluatesOf(args)))],
  [operators.notEquals, (args) => otherNode(inequalityEvaluator(evaluatesOf(args)))],
  [operators.index, (args) => indexed(args, {})],
  [operators.optionalIndex, (args) => indexed(args, { isOptional: true })],
  [
    operators.conditional,
    ([condition, yes, no]) => {
      if (condition === undefined || yes === undefined || no === undefined) {
        throw new Error('a conditional has three arguments');
      }
      const base = conditionalBase(condition.evaluate, unobserved(yes), unobserved(no));
      return attributeNode({ base, qualifiers: [], cost: 0, isTest: false });
    },
  ],
]);

const optionalCalls: ReadonlyMap<string, (args: readonly Evaluate[]) => Evaluate> = new Map([
  ['optional_or_optional', orEvaluator],
  ['optional_orValue_value', orValueEvaluator],
]);

function evaluatesOf(nodes: readonly (Node | undefined)[]): Evaluate[] {
  return nodes.flatMap((node) => (node === undefined ? [] : [node.evaluate]));
}
