import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtInResources } from '../schema/kubernetes/resources.ts';
import type { Resource } from '../schema/resource.ts';
import type { Schema, Structure } from '../schema/schema.ts';
import type { KindBehaviour } from '../registry/kinds/kind-behaviour.ts';
import type { BuiltInKind } from './define-kind.ts';
import { builtInKind, kindTable } from './kind-table.ts';
import { kindEnvironment } from './testdata/kind-environment.ts';

const environment = kindEnvironment({ featureGates: new Map() });

function keyOf({ group, kind }: { readonly group: string; readonly kind: string }): string {
  return `${group}/${kind}`;
}

/** The behaviour of the kind that a resource is stored as. */
function storedBehaviour({ group, kind, storage }: Resource): KindBehaviour {
  return builtInKind(storage?.group ?? group, storage?.kind ?? kind).behaviourIn(environment);
}

/** Names of the types within a schema. */
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

test('every kind with its own folder has one row', async () => {
  const files = globSync('*/*/kind.ts', { cwd: import.meta.dirname });
  const modules = await Promise.all(files.map((file) => import(join(import.meta.dirname, file)) as Promise<object>));
  const defined = modules.flatMap((module) => Object.values(module) as BuiltInKind[]);
  expect(new Set(defined)).toEqual(new Set(kindTable));
  expect(defined).toHaveLength(kindTable.length);
  expect(new Set(kindTable.map(keyOf)).size).toBe(kindTable.length);
});

test('rows are for existing kinds', () => {
  const known = new Set(builtInResources().flatMap((each) => [each, ...each.subresources].map(keyOf)));
  expect(kindTable.map(keyOf).filter((key) => !known.has(key))).toEqual([]);
});

test('a row has the defaults of every type within its objects', () => {
  const withDefaults = new Set(kindTable.flatMap((kind) => Object.keys(kind.behaviourIn(environment).defaulters)));
  const missing = builtInResources().flatMap((resource) => {
    const { defaulters } = storedBehaviour(resource);
    return [...typeNames(resource.schema)]
      .filter((name) => withDefaults.has(name) && defaulters[name] === undefined)
      .map((name) => `${keyOf(resource)}: ${name}`);
  });
  expect(missing).toEqual([]);
});
