import type { KindDefinition } from '../registry/kind-definition.ts';
import { defineKind } from './define-kind.ts';

/** The definition of a kind, by its group (empty for the core group) and name. */
export type KindLookup = (group: string, kind: string) => KindDefinition;

/** Finds the rows of kinds; kinds without a row have the default of everything. */
export function kindLookup(kinds: readonly KindDefinition[]): KindLookup {
  const known = new Map(kinds.map((definition) => [`${definition.group}/${definition.kind}`, definition]));
  return (group, kind) => {
    const key = `${group}/${kind}`;
    let definition = known.get(key);
    if (definition === undefined) {
      definition = defineKind({ group, kind });
      known.set(key, definition);
    }
    return definition;
  };
}
