import {
  childPath,
  type FieldError,
  forbiddenField,
  invalidField,
  keyPath,
  requiredField,
} from '../../api/errors/field-error.ts';
import { labelValueErrors, qualifiedNameErrors } from '../../api/meta/names.ts';
import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  ResourceAttributes,
} from '../../schema/kubernetes/generated/types/authorization-v1.ts';
import type { FieldSelectorRequirement } from '../../schema/kubernetes/generated/types/meta-v1.ts';

type SelectorAttributes = FieldSelectorAttributes | LabelSelectorAttributes;
// Field and label requirements have the same shape.
type Requirement = FieldSelectorRequirement;

const path = 'spec.resourceAttributes';
const withValues: ReadonlySet<string> = new Set(['In', 'NotIn']);
const withoutValues: ReadonlySet<string> = new Set(['Exists', 'DoesNotExist']);

/** Validates the selectors of a review. Unknown operators are allowed: they may come from a newer client. */
export function selectorErrors(attributes: ResourceAttributes | undefined): readonly FieldError[] {
  const { fieldSelector, labelSelector } = attributes ?? {};
  return [
    ...errorsOf(fieldSelector, childPath(path, 'fieldSelector'), fieldKeyErrors),
    ...errorsOf(labelSelector, childPath(path, 'labelSelector'), labelErrors),
  ];
}

function* errorsOf(
  selector: SelectorAttributes | undefined,
  at: string,
  more: (requirement: Requirement, at: string) => Iterable<FieldError>,
): Generator<FieldError> {
  if (selector === undefined) return;
  const { rawSelector = '', requirements = [] } = selector;
  if (rawSelector !== '' && requirements.length > 0) {
    const detail = 'may not specified at the same time as requirements';
    yield invalidField(childPath(at, 'rawSelector'), rawSelector, detail);
  }
  if (rawSelector === '' && requirements.length === 0) {
    const detail = `when ${at} is specified, requirements or rawSelector is required`;
    yield requiredField(childPath(at, 'requirements'), detail);
  }
  for (const [index, requirement] of requirements.entries()) {
    yield* requirementErrors(requirement, keyPath(childPath(at, 'requirements'), index), more);
  }
}

function* requirementErrors(
  requirement: Requirement,
  at: string,
  more: (requirement: Requirement, at: string) => Iterable<FieldError>,
): Generator<FieldError> {
  const { operator = '', values = [] } = requirement;
  const isField = more === fieldKeyErrors;
  if (isField) yield* more(requirement, at);
  if (withValues.has(operator) && values.length === 0) {
    yield requiredField(childPath(at, 'values'), "must be specified when `operator` is 'In' or 'NotIn'");
  }
  if (withoutValues.has(operator) && values.length > 0) {
    yield forbiddenField(childPath(at, 'values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  }
  if (!isField) yield* more(requirement, at);
}

function* fieldKeyErrors({ key = '' }: Requirement, at: string): Generator<FieldError> {
  if (key === '') yield requiredField(childPath(at, 'key'), 'must be specified');
}

function* labelErrors({ key = '', values = [] }: Requirement, at: string): Generator<FieldError> {
  for (const problem of qualifiedNameErrors(key)) yield invalidField(childPath(at, 'key'), key, problem);
  for (const [index, value] of values.entries()) {
    for (const problem of labelValueErrors(value)) {
      yield invalidField(keyPath(childPath(at, 'values'), index), value, problem);
    }
  }
}
