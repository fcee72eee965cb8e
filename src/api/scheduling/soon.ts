/**
 * A value or a promise of one, where the synchronous answer is the usual one on a hot path: authenticators,
 * authorizers, objects read from memory, conversion without a webhook, keys at hand. Everything else that waits is
 * `async`.
 */
export type Soon<T> = T | Promise<T>;

/** Applies `next` to the value, synchronously if it is available. */
export function soon<T, Next>(value: Soon<T>, next: (value: T) => Soon<Next>): Soon<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Memoises a function without arguments; its value is passed on synchronously once it is there. */
export function onceSoon<T>(make: () => Promise<T>): () => Soon<T> {
  let made: { readonly value: Soon<T> } | undefined;
  return () => {
    made ??= { value: make().then((value) => (made = { value }).value) };
    return made.value;
  };
}
