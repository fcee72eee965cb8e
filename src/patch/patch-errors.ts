import { StatusError } from '../api/status.ts';

/** A patch that cannot be applied to this object: the answer does not say why. */
export function unprocessable(): StatusError {
  return new StatusError({
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    details: {},
  });
}

/** What the reference does not classify is answered 500 with its text. */
export function unclassified(message: string): StatusError {
  return new StatusError({ code: 500, reason: '', message });
}
