import type { Findings } from './findings.ts';
import { floatText } from '../json/go-print.ts';
import { goQuote } from '../go/go-quote.ts';
import type { Int64 } from '../values/int64.ts';
import { encodeRaw } from '../json/json-text.ts';
import type { JsonValue } from '../json/json.ts';
import type { StatusCause } from './status.ts';
import { spellingOf } from '../json/spelled-numbers.ts';

/** The `reason` of a cause and the words that its message begins with. */
const fieldErrorTypes = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooShort: 'Too short',
  FieldValueTooMany: 'Too many',
  FieldValueTooFew: 'Too few',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
} as const;

export type FieldErrorType = keyof typeof fieldErrorTypes;

/** One error in one field. `field` is a path such as `spec.containers[0].name`; `undefined` values are not shown. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  readonly value?: JsonValue | undefined;
  readonly detail: string;
  /** A rule of the cluster rather than the kind: configuration can disable it. */
  readonly clusterPolicy?: ClusterPolicy;
  /** The value has not changed: reported as a warning, without rejecting the write. */
  readonly isForgiven?: true;
  /** Errors with the same text are all reported. */
  readonly mayRepeat?: boolean;
}

/** Errors of an object in reporting order. */
export type FieldErrors = Findings<FieldError>;

/** Feature gates that rules of pods and their templates depend on. */
export const gatesOfPodRules = [
  'MatchLabelKeysInPodTopologySpreadSelectorMerge',
  'PodDeletionCost',
  'RestartAllContainersOnContainerExits',
  'SELinuxMount',
  'TaintTolerationComparisonOperators',
  'UserNamespacesHostNetworkSupport',
] as const;

/** Feature gates that rules depend on. */
export const gatesOfRules = [
  ...gatesOfPodRules,
  'ClearingNominatedNodeNameAfterBinding',
  'HPAScaleToZero',
  'MutablePVNodeAffinity',
  'StatefulSetRecreateStrategy',
  'StrictIPCIDRValidation',
] as const;

/** `privileged`: privileged containers are not allowed; `HPAScaleToZero off`: what holds while that gate is off. */
export type ClusterPolicy = 'privileged' | `${(typeof gatesOfRules)[number]} ${'on' | 'off'}`;

/** Errors of a rule that holds under a policy only. */
export function* under(policy: ClusterPolicy, errors: FieldErrors): FieldErrors {
  for (const error of errors) yield { ...error, clusterPolicy: policy };
}

/** Errors of a rule that depends on a gate: with the gate on, and with it off. */
export function* byGate(
  gate: (typeof gatesOfRules)[number],
  { on = [], off = [] }: { readonly on?: FieldErrors; readonly off?: FieldErrors },
): FieldErrors {
  yield* under(`${gate} on`, on);
  yield* under(`${gate} off`, off);
}

const typesWithoutValue: ReadonlySet<FieldErrorType> = new Set([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'FieldValueTooShort',
  'InternalError',
]);

/** Messages that take long to build, and are needed several times: as texts to compare, in the message, in causes. */
const longBodies = new WeakMap<FieldError, string>();
const longBodyLength = 4_096;

/** The message of a cause: type, value if the type shows one, detail. */
function fieldErrorBody(error: FieldError): string {
  const known = longBodies.get(error);
  if (known !== undefined) return known;
  const body = newBody(error);
  if (body.length > longBodyLength) longBodies.set(error, body);
  return body;
}

function newBody(error: FieldError): string {
  const words = fieldErrorTypes[error.type];
  const shown =
    typesWithoutValue.has(error.type) || error.value === undefined ? words : `${words}: ${showValue(error.value)}`;
  return error.detail === '' ? shown : `${shown}: ${error.detail}`;
}

/** `field: body`. */
export function fieldErrorText(error: FieldError): string {
  return `${error.field}: ${fieldErrorBody(error)}`;
}

/** The entry of `details.causes`. */
export function fieldErrorCause(error: FieldError): StatusCause {
  return { reason: error.type, message: fieldErrorBody(error), field: error.field };
}

/** The text of the error that the cause describes. */
export function causeText({ field, message }: StatusCause): string {
  return `${field}: ${message}`;
}

function showValue(value: JsonValue): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'object') return encodeRaw(value);
  if (typeof value === 'number' && (value === 0 || !Number.isSafeInteger(value))) return floatText(value);
  return spellingOf(value) ?? String(value);
}

/** `parent.child`; the root path is the empty string and is omitted. */
export function childPath(parent: string, child: string): string {
  return parent === '' ? child : `${parent}.${child}`;
}

/** `parent[0]` for list items, `parent[key]` for map entries. */
export function keyPath(parent: string, key: string | number): string {
  return `${parent}[${key}]`;
}

export function requiredField(field: string, detail = ''): FieldError {
  return { type: 'FieldValueRequired', field, detail };
}

export function invalidField(field: string, value: JsonValue | undefined, detail: string): FieldError {
  return { type: 'FieldValueInvalid', field, value: value ?? null, detail };
}

/** A value of the wrong type or format, as schema validation reports it. */
export function typeInvalidField(field: string, value: JsonValue | undefined, detail: string): FieldError {
  return { type: 'FieldValueTypeInvalid', field, value, detail };
}

export function notSupportedField(field: string, value: JsonValue, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`;
  return { type: 'FieldValueNotSupported', field, value, detail };
}

export function forbiddenField(field: string, detail: string): FieldError {
  return { type: 'FieldValueForbidden', field, detail };
}

export function duplicateField(field: string, value: JsonValue, detail = ''): FieldError {
  return { type: 'FieldValueDuplicate', field, value, detail };
}

export function notFoundField(field: string, value: JsonValue, detail = ''): FieldError {
  return { type: 'FieldValueNotFound', field, value, detail };
}

/** `unit` is what the limit counts. */
export function tooLongField(field: string, maxLength: Int64, unit: 'byte' | 'character' = 'byte'): FieldError {
  return { type: 'FieldValueTooLong', field, detail: `may not be more than ${maxLength} ${plural(unit, maxLength)}` };
}

/** Like `invalidField`, without the value. */
export function invalidFieldWithoutValue(field: string, detail: string): FieldError {
  return { type: 'FieldValueInvalid', field, detail };
}

export function tooManyField(field: string, actual: number, max: Int64): FieldError {
  return { type: 'FieldValueTooMany', field, value: actual, detail: `must have at most ${max} ${plural('item', max)}` };
}

function plural(word: string, count: Int64): string {
  return count === 1 ? word : `${word}s`;
}
