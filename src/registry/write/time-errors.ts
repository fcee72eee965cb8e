import { type FieldError, type FieldErrors, invalidField } from '../../api/errors/field-error.ts';
import { inKeyOrder } from '../../api/json/json-text.ts';
import { isUnreadableTime, parseTime, TimeError } from '../../api/time/time.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { Resource } from '../../schema/resource.ts';
import { type TimeBeyond, timeBeyond } from '../../schema/times-beyond.ts';

/** A time that could not be read again once it is stored, unless another server has stored it before. */
export function* timeErrors(
  { schema }: Pick<Resource, 'schema'>,
  object: Readonly<KubernetesObject>,
  old?: Readonly<KubernetesObject>,
): FieldErrors {
  const found = timeIn(object);
  if (found === undefined) return;
  const before = old === undefined ? undefined : timeIn(old);
  if (before?.path === found.path && before.text === found.text) return;
  yield invalidField(found.path, found.text, 'year outside of range [0,9999] in UTC');

  function timeIn(whole: Readonly<KubernetesObject>): TimeBeyond | undefined {
    return timeBeyond(schema, whole);
  }
}

/** The metadata of a custom resource are read once more before they are validated. */
export function unreadableMetadata({ metadata }: Readonly<KubernetesObject>): FieldError | undefined {
  const { deletionTimestamp } = metadata;
  if (deletionTimestamp === undefined || !isUnreadableTime(deletionTimestamp)) return undefined;
  const shown = inKeyOrder(metadata);
  return invalidField('metadata', shown, readingProblem(deletionTimestamp));
}

function readingProblem(time: string): string {
  try {
    parseTime(time);
    return '';
  } catch (error) {
    if (error instanceof TimeError) return error.message;
    throw error;
  }
}
