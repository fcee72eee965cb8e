/**
 * Objects and lists in one body. Each costs many times the two or three bytes that it may be written with, so the size of a body does not bound
 * what becomes of it. What a store takes of 1.5 MiB has a tenth of them; a definition of that size a third.
 */
export const maxCollections = 131_072;

/** A body that is small enough and still holds too much; the message is what follows `Request entity too large: `. */
export class BodyLimitError extends Error {
  override readonly name = 'BodyLimitError';
  readonly code = 'BODY_LIMIT';

  constructor() {
    super(`limit is ${maxCollections} objects and lists`);
  }
}

/** Throws BodyLimitError when a body holds more than it may. */
export function checkCollections(count: number): void {
  if (count > maxCollections) throw new BodyLimitError();
}
