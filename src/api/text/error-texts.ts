/** Joins errors as Go's aggregate does: without duplicates, in brackets unless there is only one. */
export function joinedErrors(errors: readonly string[]): string {
  const texts = [...new Set(errors)];
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}
