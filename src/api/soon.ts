/** A value or a promise of one. Values are passed on synchronously. */
export type Soon<T> = T | Promise<T>;

/** Applies `next` to the value, synchronously if it is available. */
export function soon<T, Next>(value: Soon<T>, next: (value: T) => Soon<Next>): Soon<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
