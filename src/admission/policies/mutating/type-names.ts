import { goQuote } from '../../../api/go/go-quote.ts';
import { findIn, isList, isMap, itemsOf, keysOf } from '../../../cel/values/collections.ts';
import { ConstructedObject } from '../../../cel/values/constructed.ts';
import type { Value } from '../../../cel/values/value.ts';
import { MutationError } from './mutation-error.ts';

/**
 * The type of a constructed object must tell its place: that of `spec` is `Object.spec`. Types of fields are not known
 * to the compiler, so this is what finds objects in wrong places. Throws a MutationError.
 */
export function checkTypeNames(root: ConstructedObject): void {
  const problems = [...problemsIn(root, root.type.name)];
  if (problems.length > 0) throw new MutationError(`type mismatch: ${problems.join('\n')}`);
}

function* problemsIn(value: Value, expected: string): Generator<string, void> {
  if (value instanceof ConstructedObject) {
    const { name } = value.type;
    if (name !== expected) {
      yield `unexpected type name ${goQuote(name)}, expected ${goQuote(expected)}, which matches field name path from root Object type`;
    }
    for (const [field, inner] of value.fields) yield* problemsIn(inner, `${expected}.${field}`);
  } else if (isList(value)) {
    for (const item of itemsOf(value)) yield* problemsIn(item, expected);
  } else if (isMap(value)) {
    for (const key of keysOf(value)) yield* problemsIn(findIn(value, key) ?? null, expected);
  }
}
