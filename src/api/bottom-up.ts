/** Calls within calls that are made at once: each takes a frame of the stack, or a few. */
const mostNested = 200;

/** Calls by their arguments. */
class Results<A, B, R> {
  readonly #results = new Map<A, Map<B, R>>();

  has(a: A, b: B): boolean {
    return this.#results.get(a)?.has(b) === true;
  }

  get(a: A, b: B): R | undefined {
    return this.#results.get(a)?.get(b);
  }

  set(a: A, b: B, result: R): void {
    const results = this.#results.get(a) ?? new Map<B, R>();
    this.#results.set(a, results.set(b, result));
  }
}

interface Call<A, B> {
  readonly a: A;
  readonly b: B;
}

/**
 * A pure function that calls itself for what is inside of its arguments, however deep that is. Calls that are too deep
 * for the stack are noted instead, and `meanwhile` stands for their results. They are made afterwards, the deepest
 * first; then what had noted them is computed once more, with their results. So each time it has to call itself with
 * the same arguments, not with equal ones.
 *
 *     const leaves = bottomUp((set: FieldSet): FieldSet => ... leaves(set.childrenOf(element)) ..., emptySet);
 */
export function bottomUp<A, B, R>(compute: (a: A, b: B) => R, meanwhile: R): (a: A, b: B) => R {
  let level = 0;
  let noted: Call<A, B>[] | undefined;
  let results: Results<A, B, R> | undefined;

  function noteCall(a: A, b: B): R {
    if (results?.has(a, b) === true) return results.get(a, b) as R; // it has one
    (noted ??= []).push({ a, b });
    return meanwhile;
  }

  /** What has been noted, then `root` again. */
  function computeNoted(root: Call<A, B>, first: readonly Call<A, B>[]): R {
    results = new Results();
    const waiting = [root, ...first];
    for (;;) {
      const call = waiting.at(-1) ?? root;
      noted = undefined;
      level = 1;
      const result = compute(call.a, call.b);
      const deeper: readonly Call<A, B>[] = noted ?? [];
      if (deeper.length > 0) {
        for (const inner of deeper) waiting.push(inner);
        continue;
      }
      if (waiting.length === 1) return result;
      results.set(call.a, call.b, result);
      waiting.pop();
    }
  }

  function begin(a: A, b: B): R {
    try {
      level = 1;
      const result = compute(a, b);
      return noted === undefined ? result : computeNoted({ a, b }, noted);
    } finally {
      level = 0;
      noted = undefined;
      results = undefined;
    }
  }

  return (a, b) => {
    if (level === 0) return begin(a, b);
    if (level === mostNested) return noteCall(a, b);
    level += 1;
    const result = compute(a, b);
    level -= 1;
    return result;
  };
}
