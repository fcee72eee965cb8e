import {
  childPath,
  type FieldError,
  type FieldErrors,
  forbiddenField,
  invalidField,
  keyPath,
  notSupportedField,
  requiredField,
  tooLongField,
  tooManyField,
} from '../../../api/errors/field-error.ts';
import { findingsOfItems } from '../../../api/errors/findings.ts';
import type { JsonValue } from '../../../api/json/json.ts';
import {
  dnsLabelErrors,
  dnsSubdomainErrors,
  labelValueErrors,
  longNameErrors,
  qualifiedNameErrors,
  shortNameErrors,
} from '../../../api/meta/names.ts';
import { sameValue } from './same-value.ts';

/** Errors of a value at `path`, in the order in which they are reported. */
export type Rule<T> = (value: T, path: string) => Errors;
export type Errors = FieldErrors;

/** One rule per field; reported in the order of the table. */
export type FieldRules<T> = { readonly [K in keyof T]?: Rule<T[K] | undefined> };

/** Applies a table of rules to an object. */
export function fields<T extends object>(rules: FieldRules<T>): (value: T, path: string) => Errors {
  // By its type, the table's keys are fields of T.
  const entries = Object.entries(rules) as [keyof T & string, Rule<unknown>][];
  return (value, path) => findingsOfItems(entries, ([name, rule]) => rule(value[name], childPath(path, name)));
}

/** Skips absent values. */
export function optional<T>(rule: Rule<T>): Rule<T | undefined> {
  return (value, path) => (value === undefined ? [] : rule(value, path));
}

/** All rules in sequence. */
export function all<T>(...rules: readonly Rule<T>[]): Rule<T> {
  return (value, path) => findingsOfItems(rules, (rule) => rule(value, path));
}

type ItemRule<T> = (item: T, path: string, index: number) => Errors;

/** `rule` for every item of a list. */
export function each<T>(rule: ItemRule<T>): Rule<readonly T[] | undefined> {
  return (items, path) =>
    items === undefined ? [] : findingsOfItems(items, (item, index) => rule(item, keyPath(path, index), index));
}

/** Empty strings, lists and maps count as absent. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

export function required(detail = ''): Rule<unknown> {
  return (value, path) => (isEmpty(value) ? [requiredField(path, detail)] : []);
}

/** Reports missing values and applies `rule` to others. */
export function requiredAnd<T>(rule: Rule<T>): Rule<T | undefined> {
  return (value, path) => (value === undefined || isEmpty(value) ? [requiredField(path)] : rule(value, path));
}

/** A field that must not be set. */
export function forbidden(detail: string): Rule<unknown> {
  return (value, path) => (value === undefined ? [] : [forbiddenField(path, detail)]);
}

/** One of a list; absent values are valid. `supported` is shown in the given order. */
export function oneOf(supported: readonly string[]): Rule<string | undefined> {
  return (value, path) =>
    value === undefined || supported.includes(value) ? [] : [notSupportedField(path, value, supported)];
}

/** One of a list, required. */
export function requiredOneOf(supported: readonly string[]): Rule<string | undefined> {
  return requiredAnd(oneOf(supported));
}

/** One of a list; an absent value is shown as the empty string. */
export function enumOrEmpty(supported: readonly string[]): Rule<string | undefined> {
  return (value, path) => oneOf(supported)(value ?? '', path);
}

/** A string format, given a function that returns error messages. */
export function form(check: (value: string) => readonly string[]): Rule<string | undefined> {
  return (value, path) => formErrors(path, value ?? '', check(value ?? ''));
}

export function formErrors(path: string, value: JsonValue, texts: readonly string[]): readonly FieldError[] {
  return texts.length === 0 ? [] : texts.map((text) => invalidField(path, value, text));
}

export const dnsLabel = form(dnsLabelErrors);
export const dnsSubdomain = form(dnsSubdomainErrors);
/** Declared with the type. */
export const longName = form(longNameErrors);
export const shortName = form(shortNameErrors);
export const qualifiedName = form(qualifiedNameErrors);

/** Absent means zero. */
export type Count = number | bigint | undefined;

export const negativeMessage = 'must be greater than or equal to 0';
export const immutableMessage = 'field is immutable';

export function nonNegative(value: Count, path: string): Errors {
  return value !== undefined && value < 0 ? [invalidField(path, value, negativeMessage)] : [];
}

export function positive(value: Count, path: string): Errors {
  return (value ?? 0) <= 0 ? [invalidField(path, value ?? 0, 'must be greater than zero')] : [];
}

export function rangeMessage(min: number, max: number): string {
  return `must be between ${min} and ${max}, inclusive`;
}

export function inRange(min: number, max: number, message = rangeMessage(min, max)): Rule<Count> {
  return (value = 0, path) => (value < min || value > max ? [invalidField(path, value, message)] : []);
}

export const portNumber = inRange(1, 65535);
/** User and group ids. */
export const idNumber = optional<number | bigint>(inRange(0, 2147483647));

export function maxBytes(max: number): Rule<string | undefined> {
  return (value = '', path) => (Buffer.byteLength(value) > max ? [tooLongField(path, max)] : []);
}

export function maxItems(max: number): Rule<readonly unknown[] | undefined> {
  return (items = [], path) => (items.length > max ? [tooManyField(path, items.length, max)] : []);
}

/** A list in which `*` must be the only item. */
export function* aloneIfWildcard(values: readonly string[], path: string, what: string): Errors {
  if (values.length > 1 && values.includes('*')) {
    yield invalidField(path, [...values], `if '*' is present, must not specify other ${what}`);
  }
}

/** Labels outside of metadata. */
export function* labels(value: { readonly [key: string]: string } | undefined, path: string): Errors {
  for (const key of Object.keys(value ?? {})) {
    const label = value?.[key] ?? '';
    yield* formErrors(path, key, qualifiedNameErrors(key));
    yield* formErrors(path, label, labelValueErrors(label));
  }
}

/** A field that an update may not change. */
export function immutable(value: unknown, old: unknown, path: string): Errors {
  if (sameValue(value, old)) return [];
  // Values of decoded objects are JSON.
  return [invalidField(path, value as JsonValue | undefined, immutableMessage)];
}

/** Like `immutable`, for declarative rules, which do not show the value. */
export function sealedField(value: unknown, old: unknown, path: string): Errors {
  return sameValue(value, old) ? [] : [invalidField(path, null, immutableMessage)];
}
