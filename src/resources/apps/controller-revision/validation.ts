import { invalidField, requiredField } from '../../../api/errors/field-error.ts';
import { isJsonObject } from '../../../api/json/json.ts';
import type * as apps from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { type Errors, nonNegative } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';

export function* controllerRevision({ revision }: apps.ControllerRevision): Errors {
  yield* nonNegative(revision, 'revision');
}

export function* controllerRevisionData({ data }: apps.ControllerRevision): Errors {
  if (data === undefined || data === null) yield requiredField('data', 'data is mandatory');
  else if (!isJsonObject(data)) yield requiredField('data', 'data must be a valid JSON object');
}

export function* controllerRevisionUpdate(object: apps.ControllerRevision, old: apps.ControllerRevision): Errors {
  if (sameValue(object.data, old.data)) return;
  yield invalidField(
    'data',
    isJsonObject(object.data) ? internalValue('plain', object.data) : (object.data ?? null),
    'field is immutable',
  );
}
