import { invalidField, keyPath, tooLongField } from '../../../api/errors/field-error.ts';
import { configMapKeyErrors } from '../../../api/meta/names.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { type Errors, formErrors } from '../../parts/rules/rules.ts';
import { maxDataBytes, sizeOfBase64, totalSize } from '../stored-data.ts';

export function* configMap({ data = {}, binaryData = {} }: core.ConfigMap): Errors {
  for (const key of Object.keys(data)) {
    yield* formErrors(keyPath('data', key), key, configMapKeyErrors(key));
    if (Object.hasOwn(binaryData, key)) {
      yield invalidField(keyPath('data', key), key, 'duplicate of key present in binaryData');
    }
  }
  for (const key of Object.keys(binaryData)) {
    yield* formErrors(keyPath('binaryData', key), key, configMapKeyErrors(key));
  }
  const textSize = totalSize(data, (text) => Buffer.byteLength(text));
  const size = textSize + totalSize(binaryData, sizeOfBase64);
  // The path that the reference reports for the whole object.
  if (size > maxDataBytes) yield tooLongField('[]', maxDataBytes);
}
