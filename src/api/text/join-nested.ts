/** A piece of text, or a value to be printed in its place. */
export type Piece<T> = string | { readonly inner: T };

/** Iterative rather than recursive: bodies may nest ten thousand deep. */
export function joinNested<T>(root: T, piecesOf: (value: T) => readonly Piece<T>[]): string {
  let text = '';
  const waiting: Piece<T>[] = [{ inner: root }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') text += next;
    else for (const piece of piecesOf(next.inner).toReversed()) waiting.push(piece);
  }
  return text;
}
