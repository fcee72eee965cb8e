import type { AdmissionAttributes } from '../api/admission.ts';
import type { StatusError } from '../api/status.ts';
import { forbidden } from '../api/status-errors.ts';

/** The Forbidden error of a plugin. An object without a name yet is named by its `generateName`. */
export function refusal({ group, resource, name, object }: AdmissionAttributes, why: string): StatusError {
  const { name: own = '', generateName = '' } = object?.metadata ?? {};
  return forbidden({ group, resource }, name || own || generateName || 'Unknown', why);
}

/** Joins reasons, without duplicates. */
export function joinReasons(reasons: readonly string[]): string {
  const distinct = [...new Set(reasons)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
