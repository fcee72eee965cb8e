import {
  childPath,
  duplicateField,
  invalidField,
  keyPath,
  notSupportedField,
  requiredField,
  tooLongField,
  tooManyField,
} from '../../api/errors/field-error.ts';
import { encodeRaw } from '../../api/json/json-text.ts';
import type { JsonObject, JsonValue } from '../../api/json/json.ts';
import { labelValueErrors, qualifiedNameErrors } from '../../api/meta/names.ts';
import type {
  DeviceSelector,
  DeviceToleration,
  OpaqueDeviceConfiguration,
} from '../../schema/kubernetes/generated/types/resource-v1.ts';
import { type Errors, formErrors, type Rule } from '../parts/rules/rules.ts';
import type { DeviceExpressionChecks } from './device-expression-checks.ts';
import { declaredDriverName } from './device-names.ts';
import { late } from './late-errors.ts';
import { shownField } from '../parts/rules/set-fields.ts';

/** A list with a declarative length limit. */
export function* limited<T>(
  items: readonly T[] | undefined,
  path: string,
  max: number,
  rule: (item: T, path: string, index: number) => Errors,
): Errors {
  const list = items ?? [];
  if (list.length > max) return yield* late([tooManyField(path, list.length, max)]);
  for (const [index, item] of list.entries()) {
    yield* rule(item, keyPath(path, index), index);
  }
}

/** Items with unique keys; errors show the later duplicate. */
export function* distinct<T>(
  items: readonly T[] | undefined,
  path: string,
  keyOf: (item: T) => string,
  show: (item: T) => JsonValue,
): Errors {
  const seen = new Set<string>();
  for (const [index, item] of (items ?? []).entries()) {
    const key = keyOf(item);
    if (seen.has(key)) yield duplicateField(keyPath(path, index), show(item));
    seen.add(key);
  }
}

const fieldOrder: readonly string[] = [
  'apiGroup',
  'resource',
  'name',
  'exactly',
  'firstAvailable',
  'deviceClassName',
  'selectors',
  'allocationMode',
  'count',
  'adminAccess',
  'tolerations',
  'capacity',
  'derivedAttributes',
  'driver',
  'pool',
  'device',
  'shareID',
  'conditions',
  'data',
  'networkData',
  'counterSet',
  'counters',
  'uid',
];

/** Sorts the fields of an object as in its type. */
export function inFieldOrder(value: object): JsonObject {
  // Members of decoded objects are JSON.
  const entries = Object.entries(value as JsonObject);
  const rank = (name: string): number => (fieldOrder.includes(name) ? fieldOrder.indexOf(name) : fieldOrder.length);
  const sorted = entries.sort(([a], [b]) => rank(a) - rank(b));
  return Object.fromEntries(sorted.map(([name, member]) => [name, memberInOrder(member)]));
}

function memberInOrder(member: JsonValue): JsonValue {
  if (Array.isArray(member)) return member.map(memberInOrder);
  return typeof member === 'object' && member !== null ? inFieldOrder(member) : member;
}

const maxSelectors = 32;

/** Stored expressions are not checked again. */
export type Expressions = (() => DeviceExpressionChecks) | 'stored';

export function selectors(list: readonly DeviceSelector[] | undefined, path: string, expressions: Expressions): Errors {
  return limited(list, path, maxSelectors, function* ({ cel }, at) {
    if (cel === undefined) yield requiredField(childPath(at, 'cel'));
    else if (expressions !== 'stored') {
      yield* expressions().selector(cel.expression ?? '', childPath(at, 'cel.expression'));
    }
  });
}

const maxParameterBytes = 10 * 1024;

/** Any object, limited in encoded size unless it is stored. */
export function* rawObject(value: JsonValue | undefined, path: string, isStored = false): Errors {
  if (value === undefined || value === null) return yield requiredField(path);
  if (!isStored && Buffer.byteLength(encodeRaw(value)) > maxParameterBytes)
    return yield tooLongField(path, maxParameterBytes);
  if (typeof value !== 'object' || Array.isArray(value)) {
    yield invalidField(path, '<value omitted>', 'must be a valid JSON object');
  }
}

export function* opaqueConfiguration(
  opaque: OpaqueDeviceConfiguration | undefined,
  path: string,
  isStored = false,
): Errors {
  if (opaque === undefined) return yield requiredField(path);
  yield* declaredDriverName(opaque.driver, childPath(path, 'driver'));
  yield* rawObject(opaque.parameters, childPath(path, 'parameters'), isStored);
}

export const taintEffects: readonly string[] = ['NoExecute', 'NoSchedule', 'None'];
const operators: readonly string[] = ['Equal', 'Exists'];

export const labelValue: Rule<string> = (value, path) => formErrors(path, value, labelValueErrors(value));

export function* deviceToleration(toleration: DeviceToleration, path: string): Errors {
  const { key = '', operator = '', value = '', effect = '' } = toleration;
  if (key !== '') yield* late(formErrors(childPath(path, 'key'), key, qualifiedNameErrors(key)));
  if (operator === 'Exists') {
    if (value !== '') yield invalidField(childPath(path, 'value'), value, 'must be empty for operator `Exists`');
  } else if (operator === 'Equal') yield* labelValue(value, childPath(path, 'value'));
  else if (operator === '') yield* late([requiredField(childPath(path, 'operator'))]);
  else yield* late([notSupportedField(childPath(path, 'operator'), operator, operators)]);
  if (effect !== '' && !taintEffects.includes(effect)) {
    yield* late([notSupportedField(childPath(path, 'effect'), effect, taintEffects)]);
  }
}

const maxBindingConditions = 4;

export interface Binding {
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
}

export function* bindingParameters(binding: Binding, path: string): Errors {
  const { bindingConditions = [], bindingFailureConditions = [] } = binding;
  const [good, bad] = [childPath(path, 'bindingConditions'), childPath(path, 'bindingFailureConditions')];
  const name = (value: string, at: string): Errors => formErrors(at, value, qualifiedNameErrors(value));
  yield* limited(bindingConditions, good, maxBindingConditions, name);
  yield* limited(bindingFailureConditions, bad, maxBindingConditions, name);
  const same = (value: string): string => value;
  yield* distinct(bindingConditions, good, same, same);
  const seen = new Set<string>();
  for (const [index, value] of bindingFailureConditions.entries()) {
    if (seen.has(value)) yield duplicateField(keyPath(bad, index), value);
    seen.add(value);
    if (!bindingConditions.includes(value)) continue;
    yield invalidField(keyPath(bad, index), value, 'bindingFailureConditions must not overlap with bindingConditions');
  }
  if (bindingConditions.length === 0 && bindingFailureConditions.length > 0) {
    yield invalidField(
      good,
      shownField(binding, 'bindingConditions'),
      'bindingConditions are required to use bindingFailureConditions',
    );
  }
  if (bindingFailureConditions.length === 0 && bindingConditions.length > 0) {
    yield invalidField(
      bad,
      shownField(binding, 'bindingFailureConditions'),
      'bindingFailureConditions are required to use bindingConditions',
    );
  }
}

const operations = ['*', 'NodePrepareResources', 'NodeUnprepareResources'];

/** What a node need not do for devices. */
export function* nodeOperations(names: readonly string[] = [], path: string): Errors {
  const [prepare = '', unprepare = ''] = operations.slice(1);
  if (names.includes(prepare) && !names.includes(unprepare) && !names.includes('*')) {
    const detail = 'NodePrepareResources cannot be skipped unless NodeUnprepareResources is also skipped';
    yield invalidField(path, [...names], detail);
  }
  yield* late(operationNames(names, path));
}

function* operationNames(names: readonly string[], path: string): Errors {
  const same = (name: string): string => name;
  yield* distinct(names, path, same, same);
  for (const [index, name] of names.entries()) {
    if (!operations.includes(name)) yield notSupportedField(keyPath(path, index), name, operations);
  }
}
