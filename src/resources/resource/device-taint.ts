import { childPath, notSupportedField, requiredField } from '../../api/errors/field-error.ts';
import { qualifiedNameErrors } from '../../api/meta/names.ts';
import type * as resource from '../../schema/kubernetes/generated/types/resource-v1.ts';
import { type Errors, formErrors } from '../parts/rules/rules.ts';
import { labelValue, taintEffects } from './device-rules.ts';
import { late } from './late-errors.ts';

export function* deviceTaint(taint: resource.DeviceTaint, old: resource.DeviceTaint | undefined, path: string): Errors {
  const { key = '', value = '', effect = '' } = taint;
  yield* formErrors(childPath(path, 'key'), key, qualifiedNameErrors(key));
  if (value !== '') yield* labelValue(value, childPath(path, 'value'));
  if (old !== undefined && (old.effect ?? '') === effect) return;
  if (effect === '') yield* late([requiredField(childPath(path, 'effect'))]);
  else if (!taintEffects.includes(effect)) {
    yield* late([notSupportedField(childPath(path, 'effect'), effect, taintEffects)]);
  }
}
