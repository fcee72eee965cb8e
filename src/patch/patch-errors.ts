import { StatusError } from '../api/status.ts';

/** A patch that does not apply to the object. The answer does not say why; `why`, in the words of Go's library, is the cause. */
export function unprocessable(why = ''): StatusError {
  return new StatusError(
    {
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
      details: {},
    },
    why === '' ? undefined : { cause: new Error(why) },
  );
}

/** What the reference does not classify is answered 500 with its text. */
export function unclassified(message: string): StatusError {
  return new StatusError({ code: 500, reason: '', message });
}
