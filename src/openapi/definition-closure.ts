import { referencesOf } from './definition.ts';
import type { OpenApiDefinition, Definitions } from './definitions.ts';
import { type PathEntry, textBody } from './operation.ts';

/** Definitions that the operations of a path refer to. */
export function definitionsOf({ operations }: PathEntry): string[] {
  return operations.flatMap(({ body, responses }) => [
    ...(body === undefined ? [] : [body.definition]),
    ...responses.flatMap(({ definition }) => (definition === undefined || definition === textBody ? [] : [definition])),
  ]);
}

/** The named definitions and everything they refer to, sorted by name. Throws for unknown names. */
export function closureOf(names: readonly string[], definitions: Definitions): OpenApiDefinition[] {
  const found = new Map<string, OpenApiDefinition>();
  const pending = [...names];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (found.has(name)) continue;
    const definition = definitions(name);
    if (definition === undefined) throw new Error(`no definition ${name}`);
    found.set(name, definition);
    pending.push(...referencesOf(definition.schema));
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
