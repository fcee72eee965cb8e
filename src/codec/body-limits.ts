/**
 * Maximum of objects and lists in one body. Each costs many times the two or three bytes of its encoding, so the size
 * of a body does not bound its memory. A stored object of 1.5 MiB has a tenth of the maximum, a definition of that size
 * a third.
 */
export const maxCollections = 131_072;

/** A body within the size limit that contains too many values; the message follows `Request entity too large: `. */
export class BodyLimitError extends Error {
  override readonly name = 'BodyLimitError';
  readonly code = 'BODY_LIMIT';

  constructor() {
    super(`limit is ${maxCollections} objects and lists`);
  }
}

/** Throws BodyLimitError when a body exceeds a limit. */
export function checkCollections(count: number): void {
  if (count > maxCollections) throw new BodyLimitError();
}
