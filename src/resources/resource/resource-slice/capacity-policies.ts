import {
  childPath,
  duplicateField,
  forbiddenField,
  invalidField,
  keyPath,
  requiredField,
  tooManyField,
} from '../../../api/errors/field-error.ts';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
} from '../../../api/values/quantity.ts';
import type {
  CapacityRequestPolicy,
  CapacityRequestPolicyRange,
} from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import type { Errors } from '../../parts/rules/rules.ts';

const maxOptions = 10;

/** A quantity and how it is displayed. */
interface Amount {
  readonly quantity: Quantity;
  readonly text: string;
}

function amountOf(text: string): Amount {
  return { quantity: parseQuantity(text), text };
}

function isLess(a: Amount, b: Amount): boolean {
  return compareQuantities(a.quantity, b.quantity) < 0;
}

/** How much of a capacity a request may consume. */
export function* requestPolicy(policy: CapacityRequestPolicy, capacity: string, path: string): Errors {
  const { validValues = [], validRange, default: fallback } = policy;
  if (validValues.length > 0 && validRange !== undefined) {
    const detail =
      'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time';
    return yield forbiddenField(path, detail);
  }
  const kind = validValues.length > 0 ? 'validValues' : 'validRange';
  if (validValues.length === 0 && validRange === undefined) return;
  if (fallback === undefined)
    return yield requiredField(childPath(path, 'default'), `required when ${kind} is defined`);
  const at = childPath(path, kind);
  if (validRange === undefined) yield* options(validValues.map(amountOf), amountOf(fallback), amountOf(capacity), at);
  else yield* range(validRange, amountOf(fallback), amountOf(capacity), at);
}

function* options(values: readonly Amount[], fallback: Amount, capacity: Amount, path: string): Errors {
  for (const [index, value] of values.entries()) {
    const previous = values[index - 1];
    if (previous === undefined || !isLess(value, previous)) continue;
    yield invalidField(keyPath(path, index), value.text, 'values must be sorted in ascending order');
  }
  const counted = values.length <= maxOptions ? values : [];
  if (values.length > maxOptions) yield tooManyField(path, values.length, maxOptions);
  for (const [index, value] of counted.entries()) {
    if (!isLess(capacity, value)) continue;
    yield invalidField(keyPath(path, index), value.text, `option is larger than capacity value: ${capacity.text}`);
  }
  for (const [index, value] of counted.entries()) {
    const isRepeated = counted.slice(0, index).some((other) => isSame(other, value));
    if (isRepeated) yield duplicateField(keyPath(path, index), decimal(value.quantity));
  }
  if (counted.some((value) => isSame(value, fallback))) return;
  yield invalidField(path, fallback.text, 'default value is not valid according to the requestPolicy');
}

function isSame(a: Amount, b: Amount): boolean {
  return compareQuantities(a.quantity, b.quantity) === 0;
}

/** Without a suffix. */
function decimal({ unscaled, exponent }: Quantity): string {
  if (exponent >= 0) return String(unscaled * 10n ** BigInt(exponent));
  const digits = String(unscaled).padStart(1 - exponent, '0');
  return `${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}

function* range(bounds: CapacityRequestPolicyRange, fallback: Amount, capacity: Amount, path: string): Errors {
  if (bounds.min === undefined)
    return yield requiredField(childPath(path, 'min'), 'required when validRange is defined');
  const min = amountOf(bounds.min);
  const max = bounds.max === undefined ? undefined : amountOf(bounds.max);
  const [minPath, maxPath, defaultPath] = [childPath(path, 'min'), childPath(path, 'max'), childPath(path, 'default')];
  if (isLess(capacity, min))
    yield invalidField(minPath, min.text, `min is larger than capacity value: ${capacity.text}`);
  if (isLess(fallback, min)) yield invalidField(defaultPath, fallback.text, `default is less than min: ${min.text}`);
  if (max !== undefined) {
    if (isLess(max, min)) yield invalidField(maxPath, min.text, `min is larger than max: ${max.text}`);
    if (isLess(capacity, max)) {
      yield invalidField(maxPath, max.text, `max is larger than capacity value: ${capacity.text}`);
    }
    if (isLess(max, fallback)) yield invalidField(defaultPath, fallback.text, `default is more than max: ${max.text}`);
  }
  if (bounds.step !== undefined)
    yield* steps(amountOf(bounds.step), { min, max, fallback, capacity }, childPath(path, 'step'));
}

interface Range {
  readonly min: Amount;
  readonly max: Amount | undefined;
  readonly fallback: Amount;
  readonly capacity: Amount;
}

function* steps(step: Amount, { min, max, fallback, capacity }: Range, path: string): Errors {
  if (step.quantity.unscaled <= 0n) return yield invalidField(path, step.text, 'must be greater than zero');
  const next = addQuantities(min.quantity, step.quantity);
  if (compareQuantities(next, capacity.quantity) > 0) {
    const detail = `one step ${formatQuantity(next)} is larger than capacity value: ${capacity.text}`;
    yield invalidField(path, step.text, detail);
  }
  for (const value of [fallback, ...(max === undefined ? [] : [max])]) {
    const offset = scaled(value.quantity) - scaled(min.quantity);
    if (offset % scaled(step.quantity) === 0n) continue;
    const detail = `value is not a multiple of a given step (${step.text}) from (${min.text})`;
    yield invalidField(path, value.text, detail);
  }
}

/** In nano units, the finest resolution of quantities. */
function scaled({ unscaled, exponent }: Quantity): bigint {
  return exponent >= -9 ? unscaled * 10n ** BigInt(exponent + 9) : unscaled / 10n ** BigInt(-exponent - 9);
}
