import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { KindDefinition } from '../registry/kind-definition.ts';
import { builtInResources } from '../schema/kubernetes/resources.ts';
import type { Resource } from '../schema/resource.ts';
import type { Schema, Structure } from '../schema/schema.ts';
import { builtInKinds } from './built-in-kinds.ts';
import { kindLookup } from './kind-lookup.ts';

const definitionOf = kindLookup(builtInKinds);

function keyOf({ group, kind }: { readonly group: string; readonly kind: string }): string {
  return `${group}/${kind}`;
}

/** The definition of the kind that a resource is stored as. */
function storedDefinition({ group, kind, storage }: Resource): KindDefinition {
  return definitionOf(storage?.group ?? group, storage?.kind ?? kind);
}

/** Names of the types that objects of a schema are made of. */
function typeNames({ name, items, structure }: Schema, seen = new Set<Structure>()): ReadonlySet<string> {
  const names = new Set(items === undefined ? [] : typeNames(items, seen));
  if (structure === undefined || seen.has(structure)) return names;
  seen.add(structure);
  if (name !== undefined) names.add(name);
  for (const field of structure.fields.values()) {
    for (const below of typeNames(field.schema, seen)) names.add(below);
  }
  return names;
}

test('every kind with a folder of its own has one row', async () => {
  const files = globSync('*/*/kind.ts', { cwd: import.meta.dirname });
  const modules = await Promise.all(files.map((file) => import(join(import.meta.dirname, file)) as Promise<object>));
  const defined = modules.flatMap((module) => Object.values(module) as KindDefinition[]);
  expect(new Set(defined)).toEqual(new Set(builtInKinds));
  expect(defined).toHaveLength(builtInKinds.length);
  expect(new Set(builtInKinds.map(keyOf)).size).toBe(builtInKinds.length);
});

test('rows are of kinds that exist', () => {
  const known = new Set(builtInResources().flatMap((each) => [each, ...each.subresources].map(keyOf)));
  expect(builtInKinds.map(keyOf).filter((key) => !known.has(key))).toEqual([]);
});

test('a row has the defaults of every type that its objects are made of', () => {
  const withDefaults = new Set(builtInKinds.flatMap(({ defaults }) => Object.keys(defaults)));
  const missing = builtInResources().flatMap((resource) => {
    const { defaults } = storedDefinition(resource);
    return [...typeNames(resource.schema)]
      .filter((name) => withDefaults.has(name) && defaults[name] === undefined)
      .map((name) => `${keyOf(resource)}: ${name}`);
  });
  expect(missing).toEqual([]);
});

test('conversions are to versions that the kind is served in', () => {
  const served = new Set(
    builtInResources().map((resource) => {
      const { group, version } = resource;
      return `${keyOf(storedDefinition(resource))} ${group === '' ? version : `${group}/${version}`}`;
    }),
  );
  const unknown = builtInKinds.flatMap((definition) =>
    Object.keys(definition.conversions).filter((apiVersion) => !served.has(`${keyOf(definition)} ${apiVersion}`)),
  );
  expect(unknown).toEqual([]);
});
