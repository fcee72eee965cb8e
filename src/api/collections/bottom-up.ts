/** Calls within calls that are made at once: each takes a few frames of the stack. */
const mostNested = 200;

/** The arguments of a call. */
type Call = readonly [a: unknown, b: unknown, c: unknown];

/** Results by arguments. */
class Results<R> {
  readonly #results = new Map<unknown, Map<unknown, Map<unknown, { readonly result: R }>>>();

  of([a, b, c]: Call): { readonly result: R } | undefined {
    return this.#results.get(a)?.get(b)?.get(c);
  }

  set([a, b, c]: Call, result: R): void {
    const byA = this.#results.get(a) ?? new Map<unknown, Map<unknown, { readonly result: R }>>();
    const byB = byA.get(b) ?? new Map<unknown, { readonly result: R }>();
    this.#results.set(a, byA.set(b, byB.set(c, { result })));
  }
}

/**
 * A pure function that calls itself for what is inside of its arguments, however deep that is. Calls that are too deep
 * for the stack are noted instead, and `meanwhile` stands for their results. They are made afterwards, the deepest
 * first; then what had noted them is computed once more, with their results. So each time it has to call itself with
 * the same arguments, not with equal ones.
 *
 *     const leaves = bottomUp((set: FieldSet): FieldSet => ... leaves(set.childrenOf(element)) ..., emptySet);
 */
export function bottomUp<A extends [a?: unknown, b?: unknown, c?: unknown], R>(
  compute: (...args: A) => R,
  meanwhile: R,
): (...args: A) => R {
  // Named parameters are faster than a list of them.
  const computed = compute as unknown as (...call: Call) => R;
  let level = 0;
  let noted: Call[] | undefined;
  let results: Results<R> | undefined;

  function noteCall(call: Call): R {
    const known = results?.of(call);
    if (known !== undefined) return known.result;
    (noted ??= []).push(call);
    return meanwhile;
  }

  /** What has been noted, then `root` again. */
  function computeNoted(root: Call, first: readonly Call[]): R {
    results = new Results();
    const waiting = [root, ...first];
    for (;;) {
      const call = waiting.at(-1) ?? root;
      noted = undefined;
      level = 1;
      const result = computed(...call);
      const deeper: readonly Call[] = noted ?? [];
      if (deeper.length > 0) {
        for (const inner of deeper) waiting.push(inner);
        continue;
      }
      if (waiting.length === 1) return result;
      results.set(call, result);
      waiting.pop();
    }
  }

  function begin(a: unknown, b: unknown, c: unknown): R {
    try {
      level = 1;
      const result = computed(a, b, c);
      return noted === undefined ? result : computeNoted([a, b, c], noted);
    } finally {
      level = 0;
      noted = undefined;
      results = undefined;
    }
  }

  const called = (a?: unknown, b?: unknown, c?: unknown): R => {
    if (level === 0) return begin(a, b, c);
    if (level === mostNested) return noteCall([a, b, c]);
    level += 1;
    const result = computed(a, b, c);
    level -= 1;
    return result;
  };
  return called as unknown as (...args: A) => R;
}
