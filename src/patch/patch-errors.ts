import { StatusError } from '../api/errors/status.ts';

/**
 * A patch that cannot be applied to this object. The response does not say why: `why`, the Go library's message,
 * becomes the cause.
 */
export function unprocessable(why: string | Error = ''): StatusError {
  return new StatusError(
    {
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
      details: {},
    },
    why === '' ? undefined : { cause: typeof why === 'string' ? new Error(why) : why },
  );
}

/** Errors that the reference does not classify become a 500 with their text. */
export function unclassified(message: string): StatusError {
  return new StatusError({ code: 500, reason: '', message });
}
