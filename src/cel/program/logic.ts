import { callCost } from '../cost/call-cost.ts';
import { operators } from '../syntax/ast.ts';
import { equals } from '../values/equality.ts';
import { isError, noSuchOverload, type Value } from '../values/value.ts';
import type { Evaluate } from './frame.ts';
import { after, begin, type Code, Pausing } from './pausing.ts';

// Short-circuit operators, and equality.

/** The first false decides `&&`, the first true `||`; errors count only when nothing decides. */
export function logicEvaluator(decisive: boolean, terms: readonly Evaluate[]): Evaluate {
  const [first, second] = terms;
  if (first === undefined || second === undefined) throw new Error('a logical operator has two arguments');
  return (frame) => {
    const a = first(frame);
    if (a === decisive) return decisive;
    const b = second(frame);
    if (b === decisive) return decisive;
    if (typeof a === 'boolean' && typeof b === 'boolean') return !decisive;
    const wrong = typeof a === 'boolean' ? b : a;
    return isError(wrong) ? wrong : noSuchOverload;
  };
}

/** An error may still be absorbed. */
export function notStrictlyFalse([arg]: readonly Evaluate[]): Evaluate {
  if (arg === undefined) throw new Error('a negation has an argument');
  return (frame) => {
    const value = arg(frame);
    frame.charge(1);
    return typeof value === 'boolean' ? value : true;
  };
}

interface Conditional {
  readonly condition: Code;
  readonly yes: Code;
  readonly no: Code;
}

export function conditionalCode({ condition, yes, no }: Conditional): Code {
  if (condition instanceof Pausing || yes instanceof Pausing || no instanceof Pausing) {
    return new Pausing((frame) =>
      after(begin(condition, frame), (value) => {
        if (typeof value === 'boolean') return begin(value ? yes : no, frame);
        return isError(value) ? value : noSuchOverload;
      }),
    );
  }
  return (frame) => {
    const value = condition(frame);
    if (value === true) return yes(frame);
    if (value === false) return no(frame);
    return isError(value) ? value : noSuchOverload;
  };
}

export function equalityEvaluator([left, right]: readonly Evaluate[]): Evaluate {
  return comparison(left, right, { name: operators.equals, overload: 'equals', holds: (equal) => equal });
}

/** Incomparable values are unequal. */
export function inequalityEvaluator([left, right]: readonly Evaluate[]): Evaluate {
  return comparison(left, right, {
    name: operators.notEquals,
    overload: 'not_equals',
    holds: (equal) => equal !== true,
  });
}

interface Comparison {
  readonly name: string;
  readonly overload: string;
  readonly holds: (equal: ReturnType<typeof equals>) => Value;
}

function comparison(left: Evaluate | undefined, right: Evaluate | undefined, compared: Comparison): Evaluate {
  if (left === undefined || right === undefined) throw new Error('a comparison has two arguments');
  const cost = callCost(compared.name, compared.overload);
  const { holds } = compared;
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    const result = isError(a) ? a : isError(b) ? b : holds(equals(a, b));
    frame.charge(typeof cost === 'number' ? cost : cost([a, b], result));
    return result;
  };
}
