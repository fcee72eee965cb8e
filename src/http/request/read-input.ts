import { requestEntityTooLarge } from '../../api/errors/status-errors.ts';
import { BodyLimitError } from '../../codec/body-limits.ts';

/** Decodes client input. Throws what `read` throws, and a StatusError (413) for input with too many values. */
export function readInput<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof BodyLimitError ? requestEntityTooLarge(error.message) : error;
  }
}
