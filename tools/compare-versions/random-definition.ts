import type { JsonObject, JsonValue } from '../../src/api/json/json.ts';
import type { Random } from '../random-objects/repeatable-random.ts';

/* Definitions whose versions have different schemas, and their changes. */

export const group = 'versions.example.com';

/** One version of a definition, as long as the definition has it. */
export interface RandomVersion {
  readonly name: string;
  served: boolean;
  storage: boolean;
  readonly schema: JsonObject;
  readonly subresources: JsonObject | undefined;
  readonly selectableFields: readonly JsonObject[];
}

const text = { type: 'string' };
const integer = { type: 'integer' };
const anything = { 'x-kubernetes-preserve-unknown-fields': true };

export function randomVersions(random: Random): RandomVersion[] {
  const names = ['v1', 'v2', 'v3'].slice(0, random.pick([1, 2, 2, 2, 3, 3]) ?? 1);
  const hasStatus = random.chance(0.6);
  return names.map((name, index) => randomVersion(random, name, { storage: index === 0, hasStatus }));
}

function randomVersion(
  random: Random,
  name: string,
  { storage, hasStatus }: { readonly storage: boolean; readonly hasStatus: boolean },
): RandomVersion {
  const a = { ...text, ...(random.chance(0.25) ? { default: `a${name}` } : {}), ...limitsOfText(random) };
  const hasA = random.chance(0.9);
  const hasScale = random.chance(0.3);
  const replicas: JsonObject = { ...integer, ...(random.chance(0.3) ? { default: 3 } : {}) };
  const properties: JsonObject = {
    ...(hasA ? { a } : {}),
    [`only${name.slice(1)}`]: text,
    ...(random.chance(0.5) ? { [`d${name.slice(1)}`]: { ...text, default: `d${name}` } } : {}),
    ...(random.chance(0.3) ? { d: { ...integer, default: 1 + random.below(3) } } : {}),
    ...(random.chance(0.8) ? { free: freeOrNot(random) } : {}),
    ...(random.chance(0.8) ? { items: lists(random) } : {}),
    ...(random.chance(0.6)
      ? { n: random.pick<JsonObject>([text, integer, { ...integer, nullable: true }]) ?? text }
      : {}),
    ...(random.chance(0.5) ? { nested: nested(random, name) } : {}),
    ...(random.chance(0.4) ? { words: { type: 'object', additionalProperties: text } } : {}),
    ...(hasScale || random.chance(0.2) ? { replicas } : {}),
  };
  const spec: JsonObject = { type: 'object', properties };
  if (hasA && random.chance(0.2)) spec['required'] = ['a'];
  if (hasA && random.chance(0.15)) {
    spec['x-kubernetes-validations'] = [{ rule: "self.a != 'bad'", message: 'is bad' }];
  }
  if (random.chance(0.1)) Object.assign(spec, anything);
  const status = { type: 'object', properties: { phase: text, [`s${name.slice(1)}`]: text, replicas: integer } };
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  const subresources = { ...(hasStatus ? { status: {} } : {}), ...(hasScale ? { scale } : {}) };
  return {
    name,
    storage,
    served: true,
    schema: { type: 'object', properties: { spec, status } },
    subresources: Object.keys(subresources).length === 0 ? undefined : subresources,
    selectableFields: hasA && random.chance(0.5) ? [{ jsonPath: '.spec.a' }] : [],
  };
}

function limitsOfText(random: Random): JsonObject {
  return random.pick<JsonObject>([{}, {}, {}, {}, { maxLength: 4 }, { enum: ['x', 'y', 'av1', 'av2', 'av3'] }]) ?? {};
}

function freeOrNot(random: Random): JsonObject {
  const properties = { properties: { x: text, y: integer } };
  return (
    random.pick<JsonObject>([
      { type: 'object', ...anything },
      { type: 'object', ...anything, ...properties },
      { type: 'object', ...properties },
    ]) ?? {}
  );
}

function lists(random: Random): JsonObject {
  const properties = {
    name: text,
    ...(random.chance(0.5) ? { v: text } : {}),
    w: { ...text, ...(random.chance(0.3) ? { default: 'w' } : {}) },
  };
  const items = { type: 'object', required: ['name'], properties };
  const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
  return { type: 'array', items, ...(random.chance(0.6) ? keyed : {}) };
}

function nested(random: Random, name: string): JsonObject {
  const properties = {
    b: text,
    ...(random.chance(0.5) ? { c: { ...integer, default: Number(name.slice(1)) } } : {}),
  };
  return { type: 'object', properties, ...(random.chance(0.2) ? { default: {} } : {}) };
}

/** Another version is stored, or a version comes or goes. */
export function changeVersions(random: Random, versions: RandomVersion[]): void {
  const choice = random.next();
  if (choice < 0.65) storeIn(versions, random.pick(versions)?.name ?? '');
  else if (choice < 0.9) {
    const version = random.pick(versions);
    if (version !== undefined) version.served = !version.served;
  } else {
    const version = random.pick(versions);
    if (version === undefined || versions.length === 1) return;
    versions.splice(versions.indexOf(version), 1);
    if (version.storage) storeIn(versions, random.pick(versions)?.name ?? '');
  }
}

function storeIn(versions: readonly RandomVersion[], name: string): void {
  for (const version of versions) version.storage = version.name === name;
}

/** `column` tells clients which state of the definition is served. */
export function definitionOf(plural: string, versions: readonly RandomVersion[], column: string): JsonObject {
  const shown: JsonValue[] = versions.map(({ name, served, storage, schema, subresources, selectableFields }) => ({
    name,
    served,
    storage,
    schema: { openAPIV3Schema: schema },
    ...(subresources === undefined ? {} : { subresources }),
    ...(selectableFields.length === 0 ? {} : { selectableFields: [...selectableFields] }),
    additionalPrinterColumns: [
      { name: column, type: 'string', jsonPath: '.spec.a' },
      { name: 'Only', type: 'string', jsonPath: `.spec.only${name.slice(1)}` },
      { name: 'Default', type: 'string', jsonPath: `.spec.d1` },
    ],
  }));
  const names = { plural, singular: plural, kind: kindOf(plural), listKind: `${kindOf(plural)}List` };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, names, scope: 'Namespaced', versions: shown },
  };
}

export function kindOf(plural: string): string {
  return plural.charAt(0).toUpperCase() + plural.slice(1);
}
