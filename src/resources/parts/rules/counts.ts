import { childPath, invalidField } from '../../../api/errors/field-error.ts';
import { percentErrors } from '../../../api/meta/names.ts';
import { type Count, type Errors, formErrors, nonNegative } from './rules.ts';

// Counts and percentages of pods, and status counters.

export type IntOrPercent = number | string | undefined;

export function* intOrPercent(value: IntOrPercent, path: string): Errors {
  if (typeof value === 'string') yield* formErrors(path, value, percentErrors(value));
  else yield* nonNegative(value, path);
}

export function* atMost100Percent(value: IntOrPercent, path: string): Errors {
  if (typeof value !== 'string' || percentErrors(value).length > 0 || Number(value.slice(0, -1)) <= 100) return;
  yield invalidField(path, value, 'must not be greater than 100%');
}

/** The number in a count or percentage; malformed strings are zero. */
export function numberOf(value: IntOrPercent): number {
  return typeof value === 'string' ? Number.parseInt(value, 10) || 0 : (value ?? 0);
}

type Counters = { readonly [name: string]: unknown };

/** Non-negative status counters, in the order in which they are reported. */
export function counters(names: readonly string[]) {
  return function* (status: object, path: string): Errors {
    // Read by name; by the kind's schema these are numbers.
    for (const name of names) yield* nonNegative((status as Counters)[name] as Count, childPath(path, name));
  };
}

export interface Bound {
  readonly name: string;
  readonly limit: string;
  readonly detail: string;
}

/** Counters that must not exceed others. */
export function* bounded(status: object, path: string, bounds: readonly Bound[]): Errors {
  const read = (name: string) => Number((status as Counters)[name] ?? 0);
  for (const { name, limit, detail } of bounds) {
    if (read(name) > read(limit)) yield invalidField(childPath(path, name), read(name), detail);
  }
}

/** A counter that must not decrease. */
export function* notDecremented(value: Count, old: Count, path: string): Errors {
  if (old !== undefined && (value === undefined || value < old)) {
    yield invalidField(path, value ?? 0, 'cannot be decremented');
  }
}
