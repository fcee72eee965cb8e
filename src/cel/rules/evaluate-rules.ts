import { goQuote } from '../../api/go-quote.ts';
import { whiteSpace, withoutEdges } from '../../api/text-edges.ts';
import type { Bindings, Evaluation, Program, Run } from '../program/program.ts';
import { isError, Optional } from '../values/value.ts';
import type { CompiledRule, CompiledRules, ValidationRule } from './compile-rule.ts';
import { maxCallCost, maxMessageBytes } from './limits.ts';

/** A violated rule. */
export interface RuleFailure {
  /** Below the value; empty for the value itself. */
  readonly fieldPath: string;
  readonly detail: string;
  readonly reason: string;
  /** What the error shows of the value: itself, nothing, or only the type of its schema. */
  readonly shows: 'value' | 'nothing' | 'type';
  /** Ratcheting: the violation is tolerated if the value is unchanged. */
  readonly isRatcheted: boolean;
}

export interface RuleEvaluation {
  readonly failures: readonly RuleFailure[];
  /** The remaining budget; undefined when evaluation must stop. */
  readonly budget: number | undefined;
}

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';

export interface RuleSubject {
  /** Not null. */
  readonly self: unknown;
  /** Undefined or null when there is none. */
  readonly oldSelf: unknown;
}

/** Evaluates the rules of a value, with pauses in between, charging their cost to the budget. */
export function* evaluatingRules(
  rules: CompiledRules,
  { self, oldSelf }: RuleSubject,
  budget: number,
): Generator<undefined, RuleEvaluation> {
  if (rules.rules.length === 0) return { failures: [], budget };
  return yield* new RuleRun(rules, self, oldSelf, budget).evaluate();
}

/** Stops evaluation. */
class EndOfRules extends Error {
  override readonly name = 'EndOfRules';
}

class RuleRun {
  readonly #rules: CompiledRules;
  readonly #hasOldSelf: boolean;
  readonly #bindings: Bindings;
  readonly #optionalBindings: Bindings;
  readonly #failures: RuleFailure[] = [];
  #budget: number;

  constructor(rules: CompiledRules, self: unknown, oldSelf: unknown, budget: number) {
    this.#rules = rules;
    this.#budget = budget;
    this.#hasOldSelf = oldSelf !== undefined && oldSelf !== null;
    this.#bindings = { self: rules.read(self) };
    this.#optionalBindings = this.#bindings;
    if (!rules.rules.some(({ usesOldSelf }) => usesOldSelf)) return;
    const old = this.#hasOldSelf ? rules.read(oldSelf) : undefined;
    this.#optionalBindings = { ...this.#bindings, oldSelf: old === undefined ? Optional.none : new Optional(old) };
    if (old !== undefined) this.#bindings = { ...this.#bindings, oldSelf: old };
  }

  *evaluate(): Generator<undefined, RuleEvaluation> {
    try {
      if (this.#budget <= 0) this.#stop(outOfBudget);
      for (const rule of this.#rules.rules) {
        const run = this.#start(rule);
        if (run !== undefined) {
          const evaluation = run.proceed() ?? (yield* restOf(run));
          if (this.#isBroken(rule.rule, evaluation)) yield* this.#break(rule);
        }
        yield;
      }
      return { failures: this.#failures, budget: this.#budget };
    } catch (error) {
      if (error instanceof EndOfRules) return { failures: this.#failures, budget: undefined };
      throw error;
    }
  }

  /** Undefined for a rule that is not to be evaluated. */
  #start({ rule, condition, error, usesOldSelf }: CompiledRule): Run | undefined {
    if (error !== undefined) this.#fail(`rule compile error: ${error}`);
    if (condition === undefined) return undefined;
    const isOptional = rule.optionalOldSelf === true;
    if (usesOldSelf && !this.#hasOldSelf && !isOptional) return undefined;
    return condition.program.start(isOptional ? this.#optionalBindings : this.#bindings, maxCallCost);
  }

  /** Whether the rule is violated; one that fails is told at once. */
  #isBroken(rule: ValidationRule, evaluation: Evaluation): boolean {
    if (evaluation.cost > this.#budget) this.#stop(outOfBudget);
    this.#budget -= evaluation.cost;
    const { value } = evaluation;
    if (value === true) return false;
    if (!isError(value)) return true;
    this.#failWith(value.message, evaluation, rule);
    return false;
  }

  #failWith(message: string, { isCancelled }: Evaluation, rule: ValidationRule): void {
    const shown = shownRule(rule);
    if (isCancelled) {
      this.#stop(
        `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${shown}`,
      );
    }
    if (message.startsWith('no such overload')) {
      const what = 'call arguments did not match a supported operator, function or macro signature';
      this.#fail(`'${message}': ${what} for rule: ${shown}`);
    } else {
      this.#fail(`${message} evaluating rule: ${shown}`);
    }
  }

  /** The error of a violated rule. */
  *#break({ rule, message, usesOldSelf, fieldPath }: CompiledRule): Generator<undefined, void> {
    const place = { fieldPath, isRatcheted: !usesOldSelf };
    const made = message && (yield* this.#message(message.program, rule.messageExpression ?? ''));
    if (made?.end !== undefined) {
      this.#failures.push({ ...place, detail: made.end, reason: 'FieldValueInvalid', shows: 'type' });
      throw new EndOfRules();
    }
    const { type } = this.#rules;
    this.#failures.push({
      ...place,
      detail: made?.text ?? messageOf(rule),
      reason: rule.reason ?? 'FieldValueInvalid',
      shows: type === 'object' || type === 'array' ? 'nothing' : 'value',
    });
  }

  /** Undefined when the expression fails; `end` when evaluation must stop. */
  *#message(program: Program, text: string): Generator<undefined, Message> {
    const run = program.start(this.#bindings, maxCallCost);
    const { value, cost, isCancelled } = run.proceed() ?? (yield* restOf(run));
    if (cost > this.#budget) {
      return { end: `messageExpression evaluation failed due to running out of cost budget, ${noFurtherRules}` };
    }
    if (isCancelled) {
      return { end: `${noFurtherRules} due to call cost exceeds limit for messageExpression: ${goQuote(text)}` };
    }
    this.#budget -= cost;
    return typeof value === 'string' ? { text: usable(value) } : {};
  }

  #fail(detail: string): void {
    const shown = { fieldPath: '', shows: 'type', isRatcheted: false } as const;
    this.#failures.push({ ...shown, detail, reason: 'FieldValueInvalid' });
  }

  #stop(detail: string): never {
    this.#fail(detail);
    throw new EndOfRules();
  }
}

/** What is left after a pause: rules await nothing, as they ask no authorizer. */
function* restOf(run: Run): Generator<undefined, Evaluation> {
  for (;;) {
    yield;
    const evaluation = run.proceed();
    if (evaluation !== undefined) return evaluation;
  }
}

interface Message {
  readonly text?: string | undefined;
  readonly end?: string;
}

const noFurtherRules = 'no further validation rules will be run';

/** A single-line message within the length limit. */
function usable(message: string): string | undefined {
  const text = withoutEdges(message, whiteSpace);
  const isUsable = text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= maxMessageBytes;
  return isUsable ? text : undefined;
}

function messageOf(rule: ValidationRule): string {
  return rule.message === undefined || rule.message === '' ? `failed rule: ${shownRule(rule)}` : shownRule(rule);
}

function shownRule({ message = '', rule = '' }: ValidationRule): string {
  return withoutEdges(message === '' ? rule : message, whiteSpace);
}
