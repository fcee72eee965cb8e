/** Memoises a function of an immutable object, for as long as the object lives. */
export function keptBy<Owner extends object, Value>(make: (owner: Owner) => Value): (owner: Owner) => Value {
  const kept = new WeakMap<Owner, { readonly value: Value }>();
  return (owner) => {
    let found = kept.get(owner);
    if (found === undefined) {
      found = { value: make(owner) };
      kept.set(owner, found);
    }
    return found.value;
  };
}

/** Memoises a function without arguments. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
