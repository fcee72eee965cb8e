import { referencesOf } from './definition.ts';
import { type PathEntry, textBody } from './operation.ts';

/** Definitions that the operations of a path name. */
export function definitionsOf({ operations }: PathEntry): string[] {
  return operations.flatMap(({ body, responses }) => [
    ...(body === undefined ? [] : [body.definition]),
    ...responses.flatMap(({ definition }) => (definition === undefined || definition === textBody ? [] : [definition])),
  ]);
}

/** The definitions and all that they refer to. */
export function closureOf(names: readonly string[]): string[] {
  const found = new Set(names);
  // A set visits what is added on the way.
  for (const name of found) for (const target of referencesOf(name)) found.add(target);
  return [...found];
}
