import { forbiddenField, requiredField } from '../../../api/errors/field-error.ts';
import type * as storage from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { type Errors, isEmpty } from '../../parts/rules/rules.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { parameters } from '../parameters.ts';
import { provisioner } from '../storage-class/validation.ts';

export function* attributesClass({ driverName, parameters: values = {} }: storage.VolumeAttributesClass): Errors {
  if (isEmpty(driverName)) yield requiredField('driverName');
  yield* provisioner(driverName, 'driverName');
  yield* parameters(values, 'parameters');
  if (isEmpty(values)) yield requiredField('parameters', 'must contain at least one key/value pair');
}

export function* attributesClassUpdate(
  object: storage.VolumeAttributesClass,
  old: storage.VolumeAttributesClass,
): Errors {
  for (const name of ['driverName', 'parameters'] as const) {
    if (!sameValue(object[name], old[name])) yield forbiddenField(name, `updates to ${name} are forbidden.`);
  }
  yield* attributesClass(object);
}
