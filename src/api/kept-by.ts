/** Makes something of an immutable object at the first question, and keeps it for as long as there is the object. */
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

/** Makes something at the first question. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
