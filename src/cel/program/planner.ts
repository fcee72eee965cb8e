import type { CallReference, CheckedExpr } from '../check/checked.ts';
import type { FunctionDeclaration, TypeProvider } from '../check/declarations.ts';
import { callCost } from '../cost/call-cost.ts';
import { type Call, type Comprehension, type Expr, operators, type Select, type StructExpr } from '../syntax/ast.ts';
import { isList, listSize } from '../values/collections.ts';
import { CelError, isError, LibraryValue, Optional, TypeValue, type Value } from '../values/value.ts';
import { type Attribute, resolver } from './attribute.ts';
import { type Callee, callEvaluator, implementationOf } from './calls.ts';
import { constantCall, isConversion, membershipNode, regexNode } from './constants.ts';
import { listNode, mapNode, structNode } from './constructors.ts';
import { CelProgramError, type Evaluate } from './frame.ts';
import { LazyFields } from './lazy-fields.ts';
import { conditionalCode, equalityEvaluator, inequalityEvaluator, logicEvaluator, notStrictlyFalse } from './logic.ts';
import { accumulatorCode, bindingCode, loopCode } from './loops.ts';
import { asAttribute, attributeNode, constantNode, type Node, otherNode, unobserved } from './node.ts';
import { orEvaluator, orValueEvaluator } from './optional-calls.ts';
import { isKey, type Qualifier } from './qualifier.ts';
import { Pause } from './pause.ts';
import { after, begin, type Code, composed, Pausing, type Slots } from './pausing.ts';
import { goTypeName } from '../values/texts.ts';

export interface PlanEnvironment {
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly types: TypeProvider;
}

export interface Plan {
  readonly code: Code;
  /** Variables of the environment in use, in the order of a frame's inputs. */
  readonly inputs: readonly string[];
  readonly localCount: number;
}

/** Compiles a checked expression to closures. Throws CelProgramError. */
export function plan(checked: CheckedExpr, environment: PlanEnvironment): Plan {
  const planner = new Planner(checked, environment);
  const { code } = planner.plan(checked.root);
  return { code, inputs: planner.inputs, localCount: planner.localCount };
}

interface Local {
  readonly name: string;
  readonly read: Code;
}

class Planner implements Slots {
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
        return listNode(
          expr.elements.map(({ value, isOptional }) => ({ value: this.plan(value), isOptional })),
          this,
        );
      case 'map':
        return mapNode(
          expr.entries.map(({ key, value, isOptional }) => ({
            key: this.plan(key),
            value: this.plan(value),
            isOptional,
          })),
          this,
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
    return attributeNode({ base: local?.read ?? this.#input(name), qualifiers: [], cost: 1, isTest: false }, this);
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
    const operand = this.#withField(asAttribute(this.plan(expr.operand)), expr.field);
    return attributeNode({ ...withStep(operand, step), isTest: expr.isTest }, this);
  }

  #isStruct(expr: Expr | undefined): boolean {
    return expr !== undefined && this.#checked.typeOf(expr).kind === 'struct';
  }

  #call(expr: Call): Node {
    const reference = this.#checked.callOf(expr);
    if (reference === undefined) throw new Error(`a call of ${expr.function} has not been checked`);
    const args = this.#checked.argsOf(expr).map((arg) => this.plan(arg));
    if (reference.function === operators.optionalSelect) {
      return this.#indexed(args, { isOptional: true, isDeclared: this.#isStruct(expr.args[0]) });
    }
    switch (reference.function) {
      case operators.index:
        return this.#indexed(args, {});
      case operators.optionalIndex:
        return this.#indexed(args, { isOptional: true });
      case operators.conditional:
        return this.#conditional(args);
      default: {
        const operator = operatorTable.get(reference.function);
        return operator === undefined ? this.#function(expr, reference, args) : this.#composed(operator, args);
      }
    }
  }

  #function(expr: Call, reference: CallReference, args: readonly Node[]): Node {
    const [only] = reference.overloads.length === 1 ? reference.overloads : [];
    const optional = only === undefined ? undefined : optionalCalls.get(only);
    if (optional !== undefined) return this.#composed(optional, args);
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
      (only === 'in_list' ? membershipNode(args, this) : undefined) ??
      regexNode(reference.function, { args, cost, slots: this }) ??
      this.#composed(callOf({ implementation, cost }), args);
    return declared?.mayWait === true ? otherNode(waiting(node.code)) : node;
  }

  #composed({ build, goesOn }: Operator, args: readonly Node[]): Node {
    return otherNode(
      composed(
        args.map(({ code }) => code),
        build,
        this,
        goesOn,
      ),
    );
  }

  #conditional([condition, yes, no]: readonly Node[]): Node {
    if (condition === undefined || yes === undefined || no === undefined) {
      throw new Error('a conditional has three arguments');
    }
    const branches = { yes: unobserved(yes, this), no: unobserved(no, this) };
    const base = conditionalCode({ condition: condition.code, ...branches });
    return attributeNode({ base, qualifiers: [], cost: 0, isTest: false }, this);
  }

  #indexed([target, index]: readonly Node[], { isOptional = false, isDeclared = false }: Partial<Qualifier>): Node {
    if (target === undefined || index === undefined) throw new Error('an index has two arguments');
    const step = { isOptional, isTest: false, isDeclared };
    if (index.kind === 'constant') {
      const { value: key } = index;
      if (!isKey(key)) throw new CelProgramError(`invalid qualifier type: ${goTypeName(key)}`);
      const operand = typeof key === 'string' ? this.#withField(asAttribute(target), key) : asAttribute(target);
      return attributeNode(withStep(operand, { ...step, key, keyOf: undefined }), this);
    }
    const keyOf = unobserved(index, this);
    if (!(keyOf instanceof Pausing)) {
      return attributeNode(withStep(asAttribute(target), { ...step, key: undefined, keyOf }), this);
    }
    const { base, known } = this.#withKey(asAttribute(target), keyOf);
    return attributeNode(withStep(base, { ...step, key: undefined, keyOf: known }), this);
  }

  /** The attribute, and a key that is evaluated before the step that needs it, if that is reached. */
  #withKey(attribute: Attribute, key: Pausing): { readonly base: Attribute; readonly known: Evaluate } {
    const slot = this.take();
    const resolve = resolver(attribute, this);
    const base = new Pausing((frame) =>
      after(begin(resolve, frame), (value) => {
        if (isError(value) || isNone(value)) return value;
        return after(key.begin(frame), (known) => {
          frame.locals[slot] = known;
          return value;
        });
      }),
    );
    return { base: { ...attribute, base, qualifiers: [] }, known: ({ locals }) => locals[slot] ?? null };
  }

  /** The attribute with the field of a LazyFields that its next step reads. */
  #withField(attribute: Attribute, field: string): Attribute {
    if (!this.#environment.types.mayPause(field)) return attribute;
    const resolve = resolver(attribute, this);
    const base = new Pausing((frame) =>
      after(begin(resolve, frame), (value) => {
        const fields = value instanceof Optional ? value.value : value;
        const pause = fields instanceof LazyFields ? fields.prepare(field) : undefined;
        return pause === undefined ? value : pause.before(() => value);
      }),
    );
    return { ...attribute, base, qualifiers: [] };
  }

  #struct(expr: StructExpr): Node {
    const name = this.#checked.nameOf(expr)?.name ?? expr.typeName;
    if (!this.#environment.types.isStruct(name)) throw new CelProgramError(`unknown type: ${name}`);
    const fields = expr.fields.map((field) => ({ ...field, value: this.plan(field.value) }));
    const construct = (values: ReadonlyMap<string, Value>): Value | undefined =>
      this.#environment.types.construct(name, values);
    return structNode(name, fields, { construct, slots: this });
  }

  #loop(expr: Comprehension): Node {
    const init = this.plan(expr.init).code;
    const range = this.plan(expr.range);
    const accumulator = this.take();
    this.#locals.push({ name: expr.accumulator, read: accumulatorCode(accumulator, init) });
    const item = this.#variable(expr.item);
    const second = expr.second === undefined ? undefined : this.#variable(expr.second);
    const condition = this.plan(expr.condition).code;
    if (condition instanceof Pausing) throw new Error('a condition of a comprehension is about its accumulator only');
    const step = this.plan(expr.step).code;
    this.#locals.splice(second === undefined ? -1 : -2);
    const result = this.plan(expr.result).code;
    this.#locals.pop();
    if (isEmptyList(range)) return otherNode(bindingCode(accumulator, result));
    return otherNode(loopCode({ range: range.code, condition, step, result, accumulator, item, second }));
  }

  #variable(name: string): number {
    const slot = this.take();
    this.#locals.push({ name, read: ({ locals }) => locals[slot] ?? null });
    return slot;
  }

  take(): number {
    this.localCount += 1;
    return this.localCount - 1;
  }
}

function isEmptyList(node: Node): boolean {
  return node.kind === 'constant' && isList(node.value) && listSize(node.value) === 0;
}

function withStep(attribute: Attribute, step: Qualifier): Attribute {
  return { ...attribute, qualifiers: [...attribute.qualifiers, step], isTest: false };
}

/** What makes a node of its operands; which may end the evaluation of those after them. */
interface Operator {
  readonly build: (args: readonly Evaluate[]) => Evaluate;
  readonly goesOn?: (value: Value) => boolean;
}

/** Operators that evaluate their arguments lazily, or are not calls at all. */
const operatorTable: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  [operators.and, { build: (args) => logicEvaluator(false, args), goesOn: (value) => value !== false }],
  [operators.or, { build: (args) => logicEvaluator(true, args), goesOn: (value) => value !== true }],
  [operators.notStrictlyFalse, { build: notStrictlyFalse }],
  [operators.equals, { build: equalityEvaluator }],
  [operators.notEquals, { build: inequalityEvaluator }],
]);

const isNone = (value: Value): boolean => value instanceof Optional && value.value === undefined;

const optionalCalls: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['optional_or_optional', { build: orEvaluator, goesOn: isNone }],
  ['optional_orValue_value', { build: orValueEvaluator, goesOn: isNone }],
]);

/** Calls of one or two arguments evaluate all of them. */
function callOf(callee: Callee): Operator {
  const build = (args: readonly Evaluate[]): Evaluate => callEvaluator(callee, args);
  return callee.implementation.arity === 'many' ? { build, goesOn: (value) => !isError(value) } : { build };
}

/** A call whose result may have to be waited for. */
function waiting(call: Code): Pausing {
  return new Pausing((frame) =>
    after(begin(call, frame), (value) => {
      const awaited = value instanceof LibraryValue ? value.awaited : undefined;
      return awaited === undefined ? value : new Pause(() => value, awaited);
    }),
  );
}
