import type { GroupVersionKind } from '../api/meta/group-version.ts';
import { definitionKind, schemaByName } from '../schema/kubernetes/definitions.ts';
import type { Resource } from '../schema/resource.ts';
import type { Schema } from '../schema/schema.ts';

/** A named type in the documents. */
export interface OpenApiDefinition {
  readonly name: string;
  readonly schema: Schema;
  /** The kind that it is the schema of; undefined for other types. */
  readonly kind: GroupVersionKind | undefined;
  /** Field selector paths of a custom kind. */
  readonly selectableFields?: readonly string[];
}

/** Looks up a definition by name. */
export type Definitions = (name: string) => OpenApiDefinition | undefined;

/** The built-in definitions, plus those of kinds without a Go type. */
export function definitionsWith(own: ReadonlyMap<string, OpenApiDefinition>): Definitions {
  return (name) => own.get(name) ?? builtInDefinition(name);
}

function builtInDefinition(name: string): OpenApiDefinition | undefined {
  const schema = schemaByName(name);
  return schema === undefined ? undefined : { name, schema, kind: definitionKind(name) };
}

/** `io.k8s.api.core.v1` for pods; for kinds without a Go type the reversed group: `com.example.harbor.v1`. */
export function packageOf({ group, version, schema: { name } }: Resource): string {
  if (name !== undefined) return name.slice(0, name.lastIndexOf('.'));
  return [...group.split('.').toReversed(), version].join('.');
}

/** The name of a kind of the resource's group. Kinds without a Go type have none that the release has given away. */
export function nameOfKind(resource: Resource, kind: string): string {
  const name = `${packageOf(resource)}.${kind}`;
  return resource.schema.name === undefined && schemaByName(name) !== undefined ? `${name}_v2` : name;
}

/** The definitions of resources that have none among those of the release: of their kinds and the lists of them. */
export function ownDefinitions(resources: readonly Resource[]): ReadonlyMap<string, OpenApiDefinition> {
  const own = resources.filter(({ schema }) => schema.name === undefined);
  return new Map(own.flatMap(definitionsOf).map((definition) => [definition.name, definition]));
}

function definitionsOf(resource: Resource): OpenApiDefinition[] {
  const { group, version, kind, listKind, selectableFields = [] } = resource;
  const name = nameOfKind(resource, kind);
  const schema = { ...resource.schema, name };
  return [
    { name, schema, kind: { group, version, kind }, selectableFields },
    {
      name: nameOfKind(resource, listKind),
      schema: listOf(schema),
      kind: { group, version, kind: listKind },
      selectableFields,
    },
  ];
}

/** All list kinds have the same fields apart from their items. */
function listOf(item: Schema): Schema {
  const podList = schemaByName('io.k8s.api.core.v1.PodList')?.structure?.fields ?? new Map();
  const fields = new Map(podList);
  const items = podList.get('items');
  const metadata = podList.get('metadata');
  if (metadata !== undefined) {
    const { default: _, ...schema } = metadata.schema;
    fields.set('metadata', { ...metadata, schema });
  }
  if (items !== undefined) fields.set('items', { ...items, schema: { ...items.schema, items: item } });
  return { type: 'object', goType: '', structure: { goName: '', fields } };
}
