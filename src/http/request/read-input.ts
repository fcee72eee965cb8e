import { requestEntityTooLarge } from '../../api/status-errors.ts';
import { BodyLimitError } from '../../codec/body-limits.ts';

/** Decodes client input. Throws what `read` throws, and a StatusError (413) for input with too many values. */
export async function readInput<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof BodyLimitError ? requestEntityTooLarge(error.message) : error;
  }
}
