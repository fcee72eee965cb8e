import type { GroupVersionKind } from '../../api/group-version.ts';
import type { Schema } from '../schema.ts';
import { DefinitionTable } from './definition-table.ts';
import { definitions as text } from './generated/definitions.ts';

/** What the server serves, and what it reads and writes on the way. */
export const definitions = new DefinitionTable(text);

/** Schema of a definition by its name in the OpenAPI document: `io.k8s.api.core.v1.PodSpec`. */
export function schemaByName(name: string): Schema | undefined {
  return definitions.schemaByName(name);
}

/** Names of all definitions, structs and types with a wire form of their own, in the table's order. */
export function definitionNames(): string[] {
  return definitions.names();
}

/** The kind that a definition is the schema of; undefined for parts of kinds. */
export function definitionKind(name: string): GroupVersionKind | undefined {
  return definitions.kindOf(name);
}

/** Where the kinds are defined that answers can be turned into; nothing is stored as one of them. */
const transformedKinds: ReadonlyMap<string, string> = new Map([
  ['meta.k8s.io', 'io.k8s.apimachinery.pkg.apis.meta.v1'],
  ['apidiscovery.k8s.io', 'io.k8s.api.apidiscovery.v2'],
]);

/** Definitions of kinds by `group/version/kind`, found at the first question. */
let kinds: ReadonlyMap<string, string> | undefined;

/** Schema of a kind by its names; undefined when there is no such built-in kind. Lists, Status and the like are kinds too. */
export function schemaOfKind({ group, version, kind }: GroupVersionKind): Schema | undefined {
  kinds ??= definitions.kinds();
  const transformed = transformedKinds.get(group);
  const name = transformed === undefined ? kinds.get(`${group}/${version}/${kind}`) : `${transformed}.${kind}`;
  return name === undefined ? undefined : schemaByName(name);
}

/** The definition that is the schema of a kind in the package `key` of the table (`core/v1`). */
export function definitionName(packageKey: string, kind: string): string {
  return definitions.nameOf(packageKey, kind);
}
