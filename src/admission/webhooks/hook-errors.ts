import { goQuote } from '../../api/go/go-quote.ts';
import { badRequest, internalError } from '../../api/errors/status-errors.ts';
import { type Status, StatusError } from '../../api/errors/status.ts';

/** A webhook that could not be called, or whose response is invalid; handled by its failure policy. */
export class HookCallError extends Error {
  override readonly name = 'HookCallError';
  readonly code = 'HOOK_CALL';
  /** Code of the error as metrics count it. */
  readonly status: number;

  constructor(hook: string, why: string, { status, ...options }: ErrorOptions & { readonly status: number }) {
    super(`failed calling webhook ${goQuote(hook)}: ${why}`, options);
    this.status = status;
  }

  /** What clients see when the failure policy is `Fail`. */
  asStatus(): StatusError {
    return internalError(this.message, { cause: this });
  }
}

/**
 * The error of a write that cannot be selected for a webhook, or converted to the version that it sees. The reference
 * does not expect failed conversions, and says so for each of the `layers` that they pass.
 */
export function unreviewable(error: unknown, layers: 1 | 2): unknown {
  if (!(error instanceof StatusError) || error.status.code !== 500 || error.status.reason !== '') return error;
  const inner = layers === 1 ? error : internalError(error.message);
  return internalError(inner.message, { cause: error });
}

/** A Status as webhooks write it. */
export type ReceivedStatus = Partial<Status> & {
  readonly metadata?: Pick<Status, 'continue' | 'resourceVersion' | 'remainingItemCount'>;
};

/** The error that clients see, from the status of the answer. */
export function rejection(hook: string, result: ReceivedStatus | undefined): StatusError {
  const denied = `admission webhook ${goQuote(hook)} denied the request`;
  const { status = '', code = 0, reason = '', message = '', details, metadata = {} } = result ?? {};
  const why = message || reason;
  // A webhook may name any status; errors of the server are failures.
  const received = {
    status: status === '' || status === 'Success' ? 'Failure' : status,
    reason,
    code: Math.max(code, 400),
    ...(details === undefined ? {} : { details }),
    ...metadata,
    message: why === '' ? `${denied} without explanation` : `${denied}: ${why}`,
  };
  return new StatusError(received);
}

export function dryRunUnsupported(hook: string): StatusError {
  return badRequest(`admission webhook ${goQuote(hook)} does not support dry run`);
}
