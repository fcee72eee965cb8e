import { isError, noSuchOverload, Optional } from '../values/value.ts';
import type { Evaluate } from './frame.ts';

// `a.or(b)` and `a.orValue(b)` evaluate their argument only if the receiver is none. They are free themselves.

export function orEvaluator([first, second]: readonly Evaluate[]): Evaluate {
  if (first === undefined || second === undefined) throw new Error('a choice has two arguments');
  return (frame) => {
    const value = first(frame);
    if (!(value instanceof Optional)) return isError(value) ? value : noSuchOverload;
    return value.value === undefined ? second(frame) : value;
  };
}

export function orValueEvaluator([first, second]: readonly Evaluate[]): Evaluate {
  if (first === undefined || second === undefined) throw new Error('a choice has two arguments');
  return (frame) => {
    const value = first(frame);
    if (!(value instanceof Optional)) return isError(value) ? value : noSuchOverload;
    return value.value === undefined ? second(frame) : value.value;
  };
}
