import type { JsonObject } from '../../src/api/json/json.ts';
import type { Schema } from '../../src/schema/schema.ts';
import type { ResourceVerb, Subresource } from '../../src/schema/resource.ts';
import { Random } from '../random-objects/repeatable-random.ts';
import { randomValue } from '../../test/recorded/defaults/values.ts';
import { type Base, subresourceObject } from './bases.ts';
import { hostileTexts, hostileValue } from './hostile-values.ts';
import { type FieldPosition, placesOf } from './places.ts';
import { allSurroundings, type Fill, putValue, type Surroundings } from './put-value.ts';
import { type WalkRequest, type WayName, wayNames, ways } from './ways.ts';

/** A value at a place, written in some way: everything that defines a case. */
export interface CaseId {
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly way: WayName;
  /** `/spec/containers/0/name` */
  readonly place: string;
  readonly surroundings: Surroundings;
  /** The value as JSON. */
  readonly value: string;
}

/** Selects a subset of the cases: by their keys up to the value, then by the value. */
export interface Choice {
  (start: string): (value: string) => boolean;
  /** JSON of the values; absent: the hostile ones. */
  readonly texts?: readonly string[];
}

/** Selects one in `count` cases. */
export function oneOf(count: number): Choice {
  if (count <= 1) return () => () => true;
  return (start) => {
    const before = mixed(start);
    return (value) => settled(mixed(value, before)) % count === 0;
  };
}

/** `apps/v1/deployments status update /spec/replicas sparse null` */
export function keyOf(base: Base, id: CaseId): string {
  return keyStart(base, id) + id.value;
}

function keyStart({ label }: Base, { subresource, way, place, surroundings }: Omit<CaseId, 'value'>): string {
  const parts = [label, subresource, way, place, surroundings].filter((part) => part !== '');
  return `${parts.join(' ')} `;
}

/** The cases of a resource and its subresources; some ways only apply to the resource itself. */
export function* casesOf(base: Base, choice: Choice, only: readonly WayName[] = wayNames): Generator<CaseId> {
  const { resource } = base;
  const target = { subresource: '', schema: resource.schema, verbs: resource.verbs };
  yield* casesThrough(base, target, choice, only);
  if (only !== wayNames) return;
  for (const { name, schema, verbs } of resource.subresources) {
    if (schema !== undefined) yield* casesThrough(base, { subresource: name, schema, verbs }, choice, wayNames);
  }
}

interface Target {
  readonly subresource: string;
  readonly schema: Schema;
  readonly verbs: readonly ResourceVerb[];
}

function* casesThrough(
  base: Base,
  { subresource, schema, verbs }: Target,
  choice: Choice,
  only: readonly WayName[],
): Generator<CaseId> {
  for (const way of only) {
    if (!verbs.includes(ways[way].verb)) continue;
    for (const { place, surroundings } of surroundedPlaces(schema, ways[way].isWhole)) {
      const id = { subresource, way, place, surroundings };
      const isChosen = choice(keyStart(base, id));
      for (const value of choice.texts ?? hostileTexts) if (isChosen(value)) yield { ...id, value };
    }
  }
}

/** Patches do not mention anything beside the value, so nothing is removed there. */
function* surroundedPlaces(schema: Schema, isWhole: boolean): Generator<Pick<CaseId, 'place' | 'surroundings'>> {
  for (const place of placesIn(schema).keys()) {
    for (const surroundings of allSurroundings) {
      if (isWhole || surroundings !== 'bare') yield { place, surroundings };
    }
  }
}

const placesBySchema = new WeakMap<Schema, ReadonlyMap<string, FieldPosition>>();

function placesIn(schema: Schema): ReadonlyMap<string, FieldPosition> {
  let places = placesBySchema.get(schema);
  if (places === undefined) {
    places = new Map(placesOf(schema).map((place) => [`/${place.path.join('/')}`, place]));
    placesBySchema.set(schema, places);
  }
  return places;
}

/** The object created by a case. */
export function objectOf(base: Base, { place, surroundings, value }: CaseId): JsonObject {
  const found = placesIn(base.resource.schema).get(place);
  if (found === undefined) throw new Error(`${base.label} has no ${place}`);
  return putValue(base.object, found, { value: hostileValue(value), surroundings, fill: plausible(place) });
}

/** The request of a case; `stored` is the object on the server. */
export function requestOf(base: Base, stored: JsonObject, id: CaseId): WalkRequest {
  const subresource = base.resource.subresources.find(({ name }) => name === id.subresource);
  const schema = subresource?.schema ?? base.resource.schema;
  const place = placesIn(schema).get(id.place);
  if (place === undefined) throw new Error(`${base.label} has no ${id.place}`);
  const before = objectBefore(base, stored, { subresource, way: id.way });
  const value = hostileValue(id.value);
  const put = { value, surroundings: id.surroundings, fill: plausible(id.place) };
  const written = { object: putValue(before, place, put), chain: putValue({}, place, put), before, path: place.path };
  return ways[id.way].request({ ...base, object: before }, written, id.subresource);
}

function objectBefore(
  base: Base,
  stored: JsonObject,
  { subresource, way }: { readonly subresource: Subresource | undefined; readonly way: WayName },
): JsonObject {
  if (subresource === undefined) return way === 'create' ? base.object : stored;
  const isOfKind = subresource.schema?.name === base.resource.schema.name;
  return isOfKind ? stored : subresourceObject(subresource, base.name);
}

/** Fills parents with values derived from the place. */
function plausible(place: string): Fill {
  const random = new Random(hashOf(place));
  return (schema) => (place === '' ? {} : randomValue(random, { name: '', schema }, 4));
}

/** FNV-1a. */
export function hashOf(text: string): number {
  return settled(mixed(text));
}

function mixed(text: string, before = 0x811c9dc5): number {
  let hash = before;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}

function settled(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0;
}
