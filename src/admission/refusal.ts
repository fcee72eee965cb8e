import type { AdmissionAttributes } from '../api/admission.ts';
import type { StatusError } from '../api/status.ts';
import { forbidden } from '../api/status-errors.ts';

/** The refusal of a request. An object whose name is yet to be generated goes by the beginning of that name. */
export function refusal({ group, resource, name, object }: AdmissionAttributes, why: string): StatusError {
  const { name: own = '', generateName = '' } = object?.metadata ?? {};
  return forbidden({ group, resource }, name || own || generateName || 'Unknown', why);
}

/** Several reasons in one sentence, each once. */
export function joinReasons(reasons: readonly string[]): string {
  const distinct = [...new Set(reasons)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
