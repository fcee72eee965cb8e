import { isError, Optional, type Value } from '../values/value.ts';
import type { Evaluate, Frame } from './frame.ts';
import { type Qualifier, qualify, qualifyIfPresent } from './qualifier.ts';
import { type Code, type Slots, wrapped } from './pausing.ts';

/**
 * A variable or the value of an expression, followed by steps: `a.b[0].c` is one attribute. Costs follow the reference:
 * one per step and one for the whole, unless it is a branch of a conditional or the conditional itself.
 */
export interface Attribute {
  readonly base: Code;
  readonly qualifiers: readonly Qualifier[];
  /** Cost of the whole. */
  readonly cost: 0 | 1;
  readonly isTest: boolean;
}

/** Without that cost. */
export function resolver({ base, qualifiers }: Attribute, slots: Slots): Code {
  return wrapped(base, (value) => resolved(value, qualifiers), slots);
}

function resolved(base: Evaluate, qualifiers: readonly Qualifier[]): Evaluate {
  const [first, ...more] = qualifiers;
  if (first === undefined) return base;
  if (more.length > 0 || first.isOptional) return (frame) => applied(frame, base(frame), qualifiers);
  return (frame) => {
    const from = base(frame);
    if (isError(from)) return from;
    return from instanceof Optional ? applied(frame, from, qualifiers) : qualify(frame, from, first);
  };
}

export function attributeCode({ base, qualifiers, cost, isTest }: Attribute, slots: Slots): Code {
  return wrapped(base, (value) => observed(resolved(value, qualifiers), cost, isTest), slots);
}

function observed(resolve: Evaluate, cost: 0 | 1, isTest: boolean): Evaluate {
  if (isTest) {
    return (frame) => {
      const value = resolve(frame);
      return value instanceof Optional ? value.value !== undefined : value;
    };
  }
  if (cost === 0) return resolve;
  return (frame) => {
    const value = resolve(frame);
    frame.charge(cost);
    return value;
  };
}

function applied(frame: Frame, base: Value, qualifiers: readonly Qualifier[]): Value {
  let from = base;
  let isOptional = false;
  if (from instanceof Optional) {
    if (from.value === undefined) return from;
    from = from.value;
    isOptional = true;
  }
  for (const qualifier of qualifiers) {
    if (isError(from)) return from;
    isOptional ||= qualifier.isOptional;
    const next: Value | undefined = isOptional
      ? qualifyIfPresent(frame, from, qualifier)
      : qualify(frame, from, qualifier);
    if (next === undefined) return Optional.none;
    from = next;
  }
  if (isError(from)) return from;
  return isOptional ? new Optional(from) : from;
}
