import type { GroupVersionKind } from '../../api/meta/group-version.ts';
import type { Schema } from '../schema.ts';
import { DefinitionTable } from './definition-table.ts';
import { definitions as text } from './generated/definitions.ts';

/** The definitions that the server serves, reads and writes. */
export const definitions = new DefinitionTable(text);

/** Schema of a definition by its name in the OpenAPI document: `io.k8s.api.core.v1.PodSpec`. */
export function schemaByName(name: string): Schema | undefined {
  return definitions.schemaByName(name);
}

/** Names of all definitions (structs and types with their own wire form), in table order. */
export function definitionNames(): string[] {
  return definitions.names();
}

/** The kind that a definition is the schema of; undefined for other types. */
export function definitionKind(name: string): GroupVersionKind | undefined {
  return definitions.kindOf(name);
}

/** Packages of the kinds that responses can be converted to; nothing is stored as one of them. */
const transformedKinds: ReadonlyMap<string, string> = new Map([
  ['meta.k8s.io', 'io.k8s.apimachinery.pkg.apis.meta.v1'],
  ['apidiscovery.k8s.io', 'io.k8s.api.apidiscovery.v2'],
]);

/** Definition names by `group/version/kind`, cached on first use. */
const kinds = new Map<string, string>();

/** Schema of a kind; undefined if it is not built in. Lists, Status and the like are kinds too. */
export function schemaOfKind(kind: GroupVersionKind): Schema | undefined {
  const transformed = transformedKinds.get(kind.group);
  const name = transformed === undefined ? nameOfKind(kind) : `${transformed}.${kind.kind}`;
  return name === undefined ? undefined : schemaByName(name);
}

/** Misses are not cached: clients may ask for anything. */
function nameOfKind(kind: GroupVersionKind): string | undefined {
  const key = `${kind.group}/${kind.version}/${kind.kind}`;
  const known = kinds.get(key);
  if (known !== undefined) return known;
  const name = definitions.nameOfKind(kind);
  if (name !== undefined) kinds.set(key, name);
  return name;
}

/** Name of a kind's schema definition in the package `key` of the table (`core/v1`). */
export function definitionName(packageKey: string, kind: string): string {
  return definitions.nameOf(packageKey, kind);
}

/** Schemas of options of connections and logs (`PodExecOptions`), core kinds that are not served. */
export function schemaOfOptions(kind: string): Schema | undefined {
  return schemaByName(definitionName('core/v1', kind));
}
