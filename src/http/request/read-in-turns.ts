import { requestEntityTooLarge } from '../../api/status-errors.ts';
import { inTurns, type Work } from '../../api/turns.ts';
import { BodyLimitError } from '../../codec/body-limits.ts';

/**
 * Decodes client input, yielding to other requests. Throws what the work throws, and a StatusError (413) for input with
 * too many values.
 */
export async function readInTurns<T>(work: Work<T>): Promise<T> {
  try {
    return await inTurns(work);
  } catch (error) {
    throw error instanceof BodyLimitError ? requestEntityTooLarge(error.message) : error;
  }
}
