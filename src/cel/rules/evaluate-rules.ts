import { goQuote } from '../../api/go/go-quote.ts';
import { whiteSpace, withoutEdges } from '../../api/text/text-edges.ts';
import type { Limits } from '../program/frame.ts';
import { Pause } from '../program/pause.ts';
import type { Bindings, Evaluation } from '../program/program.ts';
import { isError, Optional } from '../values/value.ts';
import type { CompiledRule, CompiledRules, ValidationRule } from './compile-rule.ts';
import { maxMessageBytes } from './limits.ts';

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

/** Evaluates the rules of a value, charging their cost to the budget. */
export function evaluateRules(
  rules: CompiledRules,
  { self, oldSelf }: RuleSubject,
  limits: RuleLimits,
): RuleEvaluation | Pause<RuleEvaluation> {
  if (rules.rules.length === 0) return { failures: [], budget: limits.budget };
  return new RuleRun(rules, { self, oldSelf }, limits).evaluate();
}

export interface RuleLimits {
  /** For all rules. */
  readonly budget: number;
  /** For each expression. */
  readonly each: Limits;
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
  readonly #each: Limits;
  #budget: number;
  /** The next rule. */
  #index = 0;

  constructor(rules: CompiledRules, { self, oldSelf }: RuleSubject, { budget, each }: RuleLimits) {
    this.#rules = rules;
    this.#budget = budget;
    this.#each = each;
    this.#hasOldSelf = oldSelf !== undefined && oldSelf !== null;
    this.#bindings = { self: rules.read(self) };
    this.#optionalBindings = this.#bindings;
    if (!rules.rules.some(({ usesOldSelf }) => usesOldSelf)) return;
    const old = this.#hasOldSelf ? rules.read(oldSelf) : undefined;
    this.#optionalBindings = { ...this.#bindings, oldSelf: old === undefined ? Optional.none : new Optional(old) };
    if (old !== undefined) this.#bindings = { ...this.#bindings, oldSelf: old };
  }

  /** All rules that are left. */
  evaluate(): RuleEvaluation | Pause<RuleEvaluation> {
    try {
      const { rules } = this.#rules;
      if (this.#budget <= 0 && this.#index === 0) this.#stop(outOfBudget);
      for (let rule = rules[this.#index]; rule !== undefined; rule = rules[this.#index]) {
        this.#index += 1;
        const pause = this.#evaluateRule(rule);
        if (pause !== undefined) return this.#after(pause);
      }
      return { failures: this.#failures, budget: this.#budget };
    } catch (error) {
      return this.#ended(error);
    }
  }

  #after(pause: Pause<undefined>): Pause<RuleEvaluation> {
    return new Pause(() => {
      try {
        const next = pause.goOn();
        return next === undefined ? this.evaluate() : this.#after(next);
      } catch (error) {
        return this.#ended(error);
      }
    }, pause.awaited);
  }

  #ended(error: unknown): RuleEvaluation {
    if (error instanceof EndOfRules) return { failures: this.#failures, budget: undefined };
    throw error;
  }

  #evaluateRule(rule: CompiledRule): Pause<undefined> | undefined {
    const evaluation = this.#begin(rule);
    const take = (result: Evaluation): Pause<undefined> | undefined =>
      this.#isBroken(rule.rule, result) ? this.#break(rule) : undefined;
    if (evaluation instanceof Pause) return evaluation.before(take);
    return evaluation === undefined ? undefined : take(evaluation);
  }

  /** Undefined for a rule that is not to be evaluated. */
  #begin({ rule, condition, error, usesOldSelf }: CompiledRule): Evaluation | Pause<Evaluation> | undefined {
    if (error !== undefined) this.#fail(`rule compile error: ${error}`);
    if (condition === undefined) return undefined;
    const isOptional = rule.optionalOldSelf === true;
    if (usesOldSelf && !this.#hasOldSelf && !isOptional) return undefined;
    const bindings = isOptional ? this.#optionalBindings : this.#bindings;
    return condition.program.begin(bindings, this.#each);
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
  #break(rule: CompiledRule): Pause<undefined> | undefined {
    const { message } = rule;
    if (message === undefined) return this.#tell(rule, {});
    const made = message.program.begin(this.#bindings, this.#each);
    const tell = (evaluation: Evaluation): undefined =>
      this.#tell(rule, this.#message(evaluation, rule.rule.messageExpression ?? ''));
    return made instanceof Pause ? made.before(tell) : tell(made);
  }

  #tell({ rule, usesOldSelf, fieldPath }: CompiledRule, { text, end }: Message): undefined {
    const place = { fieldPath, isRatcheted: !usesOldSelf };
    if (end !== undefined) {
      this.#failures.push({ ...place, detail: end, reason: 'FieldValueInvalid', shows: 'type' });
      throw new EndOfRules();
    }
    const { type } = this.#rules;
    this.#failures.push({
      ...place,
      detail: text ?? messageOf(rule),
      reason: rule.reason ?? 'FieldValueInvalid',
      shows: type === 'object' || type === 'array' ? 'nothing' : 'value',
    });
  }

  /** Without a text when the expression fails; with an end when evaluation must stop. */
  #message({ value, cost, isCancelled }: Evaluation, text: string): Message {
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
