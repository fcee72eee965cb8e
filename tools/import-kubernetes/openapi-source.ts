// The published OpenAPI v3 documents of the release: for checking the tables, and for what only they contain.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A schema of an OpenAPI v3 document. */
export interface OpenApiSchema {
  readonly [key: string]: unknown;
  readonly properties?: { readonly [name: string]: OpenApiSchema };
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
  readonly 'x-kubernetes-unions'?: unknown;
}

/** What only the documents say about a definition. */
export interface PublishedDefinition {
  /** `group/version` of its kind; undefined if it is not a kind. */
  readonly kindOf?: string;
  readonly unions?: unknown;
}

/** All schemas of all group versions, without descriptions. */
export function readOpenApi(kubernetesDir: string): ReadonlyMap<string, OpenApiSchema> {
  const folder = join(kubernetesDir, 'api/openapi-spec/v3');
  const schemas = new Map<string, OpenApiSchema>();
  for (const file of readdirSync(folder).sort()) {
    // Documents of the release, of a known shape.
    const document = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      readonly components?: { readonly schemas?: { readonly [name: string]: OpenApiSchema } };
    };
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
      if (!schemas.has(name)) schemas.set(name, withoutDescriptions(schema));
    }
  }
  return schemas;
}

/** What the table takes from the documents, by definition name. */
export function publishedDefinitions(
  schemas: ReadonlyMap<string, OpenApiSchema>,
): ReadonlyMap<string, PublishedDefinition> {
  const published = new Map<string, PublishedDefinition>();
  for (const [name, schema] of schemas) {
    const kind = schema['x-kubernetes-group-version-kind']?.[0];
    const unions = schema['x-kubernetes-unions'];
    published.set(name, {
      ...(kind === undefined ? {} : { kindOf: `${kind.group}/${kind.version}` }),
      ...(unions === undefined ? {} : { unions }),
    });
  }
  return published;
}

/** Definition name by `group/version/kind`, for definitions of one kind. */
export function definitionsByKind(schemas: ReadonlyMap<string, OpenApiSchema>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, schema] of schemas) {
    for (const { group, version, kind } of schema['x-kubernetes-group-version-kind'] ?? [])
      names.set(`${group}/${version}/${kind}`, name);
  }
  return names;
}

function withoutDescriptions(schema: OpenApiSchema): OpenApiSchema {
  const { description: _description, properties, ...rest } = schema;
  if (properties === undefined) return rest;
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, withoutDescriptions(each)])),
  };
}
