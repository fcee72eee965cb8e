import type { AdmissionAttributes } from '../api/contracts/admission.ts';
import { StatusError } from '../api/errors/status.ts';
import { forbidden } from '../api/errors/status-errors.ts';

/** The Forbidden error of a plugin. An object without a name yet is named by its `generateName`. */
export function refusal({ group, resource, name, object }: AdmissionAttributes, why: string): StatusError {
  const { name: own = '', generateName = '' } = object?.metadata ?? {};
  return forbidden({ group, resource }, name || own || generateName || 'Unknown', why);
}

/** An error that the reference answers with 500, as it is not a Status there. */
export function unexplained(message: string): StatusError {
  return new StatusError({ code: 500, reason: '', message });
}

/** Joins reasons, without duplicates. */
export function joinReasons(reasons: readonly string[]): string {
  const distinct = [...new Set(reasons)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
