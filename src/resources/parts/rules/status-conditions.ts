import {
  childPath,
  duplicateField,
  invalidField,
  keyPath,
  notSupportedField,
  requiredField,
  tooLongField,
} from '../../../api/errors/field-error.ts';
import { patternMessage } from '../../../api/meta/names.ts';
import type { Condition } from '../../../schema/kubernetes/generated/types/meta-v1.ts';
import { repetitions } from './repetitions.ts';
import { type Errors, isEmpty, qualifiedName } from './rules.ts';

const statuses = ['False', 'True', 'Unknown'];
const reasonForm = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const reasonExpression = new RegExp(`^${reasonForm}$`);
const reasonExamples = ['my_name', 'MY_NAME', 'MyName', 'ReasonA,ReasonB', 'ReasonA:ReasonB'];
const reasonMessage =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'";

/** Conditions of meta/v1. */
export function* statusConditions(conditions: readonly Condition[] = [], path: string): Errors {
  const isRepeated = repetitions();
  for (const [index, condition] of conditions.entries()) {
    const { type = '' } = condition;
    if (isRepeated(type)) yield duplicateField(keyPath(path, index), type);
    yield* statusCondition(condition, keyPath(path, index));
  }
}

function* statusCondition(condition: Condition, path: string): Errors {
  const { type = '', status = '', observedGeneration = 0, lastTransitionTime, reason = '', message = '' } = condition;
  if (type === '') yield requiredField(childPath(path, 'type'), 'is required');
  else yield* qualifiedName(type, childPath(path, 'type'));
  if (status === '') yield requiredField(childPath(path, 'status'));
  else if (!statuses.includes(status)) yield notSupportedField(childPath(path, 'status'), status, statuses);
  if (observedGeneration < 0) {
    const detail = 'must be greater than or equal to zero';
    yield invalidField(childPath(path, 'observedGeneration'), observedGeneration, detail);
  }
  if (isEmpty(lastTransitionTime)) yield requiredField(childPath(path, 'lastTransitionTime'));
  const reasonPath = childPath(path, 'reason');
  if (reason === '') yield requiredField(reasonPath);
  else yield* conditionReason(reason, reasonPath);
  if (Buffer.byteLength(reason) > 1024) yield tooLongField(reasonPath, 1024);
  if (Buffer.byteLength(message) > 32768) yield tooLongField(childPath(path, 'message'), 32768);
}

/** The form of a reason that is not empty. */
export function* conditionReason(reason: string, path: string): Errors {
  if (reasonExpression.test(reason)) return;
  yield invalidField(path, reason, patternMessage(reasonMessage, reasonForm, reasonExamples));
}
