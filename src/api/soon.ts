/** A value that is here already, or will be. Nobody waits for what is here. */
export type Soon<T> = T | Promise<T>;

/** What `next` makes of the value, at once if it is here. */
export function soon<T, Next>(value: Soon<T>, next: (value: T) => Soon<Next>): Soon<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
