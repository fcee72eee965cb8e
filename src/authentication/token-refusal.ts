import { unauthorized } from '../api/errors/status-errors.ts';
import type { StatusError } from '../api/errors/status.ts';

const reasons = new WeakMap<StatusError, string>();

/** A 401 whose reason is shown in TokenReviews only, not to the client. */
export function tokenRefusal(reason: string): StatusError {
  const refusal = unauthorized();
  reasons.set(refusal, reason);
  return refusal;
}

export function refusalReason(refusal: StatusError): string | undefined {
  return reasons.get(refusal);
}
