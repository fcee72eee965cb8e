import type { AdmissionAttributes } from '../api/admission.ts';
import { StatusError } from '../api/status.ts';
import { forbidden } from '../api/status-errors.ts';

/** The refusal of a request. An object whose name is yet to be generated goes by the beginning of that name. */
export function refusal({ group, resource, name, object }: AdmissionAttributes, why: string): StatusError {
  const { name: own = '', generateName = '' } = object?.metadata ?? {};
  return forbidden({ group, resource }, name || own || generateName || 'Unknown', why);
}

/** What the reference answers with an error that is no Status. */
export function unexplained(message: string): StatusError {
  return new StatusError({ code: 500, reason: '', message });
}

/** Several reasons in one sentence, each once. */
export function joinReasons(reasons: readonly string[]): string {
  const distinct = [...new Set(reasons)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
