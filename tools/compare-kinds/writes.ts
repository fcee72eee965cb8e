import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import type { Schema } from '../../src/schema/schema.ts';
import { pick, type Random } from '../random-objects/random.ts';
import { randomValue } from '../../test/recorded/defaults/values.ts';
import { Random as Choices } from '../random-objects/repeatable-random.ts';
import { type Base, subresourceObject } from '../walk-schemas/bases.ts';
import { hashOf } from '../walk-schemas/cases.ts';
import { type FieldPosition, placesOf } from '../walk-schemas/places.ts';
import { putValue } from '../walk-schemas/put-value.ts';
import { ways } from '../walk-schemas/ways.ts';
import type { Question } from './question.ts';

/** Where an object of a kind is written, and in which form. */
export interface Target {
  readonly verb: 'create' | 'update';
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly schema: Schema;
}

export function targetsOf({ resource }: Base): readonly Target[] {
  const { verbs, schema, subresources } = resource;
  const parts = [{ name: '', schema, verbs }, ...subresources];
  return parts.flatMap(({ name, schema: ofPart, verbs: offered }) =>
    (['create', 'update'] as const).flatMap((verb) =>
      ofPart !== undefined && offered.includes(verb) ? [{ verb, subresource: name, schema: ofPart }] : [],
    ),
  );
}

const known = new WeakMap<Schema, readonly FieldPosition[]>();

/** The places of a target that its writes look at. */
export function placesIn({ schema, subresource, verb }: Target): readonly FieldPosition[] {
  const places = known.get(schema) ?? placesOf(schema);
  known.set(schema, places);
  const top = subresource === 'status' ? ['status', 'metadata'] : undefined;
  return places.filter(({ path: [first] }) =>
    top === undefined ? first !== 'status' || verb === 'create' : top.includes(String(first)),
  );
}

export interface Written {
  readonly place: FieldPosition;
  readonly value: JsonValue | undefined;
}

/** A write of the object with some values in place of its own. */
export function written(base: Base, target: Target, changes: readonly Written[]): Question {
  const { verb, subresource } = target;
  const shown = changes.map(({ place, value }) => `/${place.path.join('/')}=${shortened(value)}`);
  return {
    key: [base.label, subresource, verb, ...shown].filter((part) => part !== '').join(' '),
    request(stored) {
      const object = changes.reduce(
        (made, { place, value }) => changed(made, place, value),
        start(base, target, stored),
      );
      const of = { object, before: object, chain: object, path: [] };
      return ways[verb].request(base, of, subresource);
    },
  };
}

function start(base: Base, { verb, subresource }: Target, stored: JsonObject): JsonObject {
  const part = base.resource.subresources.find(({ name }) => name === subresource);
  if (part !== undefined && part.schema?.name !== base.resource.schema.name) return subresourceObject(part, base.name);
  if (verb === 'update') return stored;
  // What is stored would collide.
  return changed(
    base.object,
    { path: ['metadata', 'name'], schema: base.resource.schema, parents: [{}, {}] as never },
    otherName(base),
  );
}

function otherName({ name, resource }: Base): string {
  return resource.plural === 'customresourcedefinitions' || resource.plural === 'apiservices' ? name : `${name}2`;
}

export function changed(object: JsonObject, place: FieldPosition, value: JsonValue | undefined): JsonObject {
  if (value === undefined) return removed(object, place.path);
  const random = new Choices(hashOf(place.path.join('/')));
  const fill = (schema: Schema): JsonValue => randomValue(random, { name: '', schema }, 4);
  return putValue(object, place, { value, surroundings: 'lush', fill });
}

function removed(object: JsonObject, path: FieldPosition['path']): JsonObject {
  const copy = structuredClone(object);
  let parent: JsonValue | undefined = copy;
  for (const step of path.slice(0, -1)) {
    parent = Array.isArray(parent) ? parent[Number(step)] : isJsonObject(parent) ? parent[String(step)] : undefined;
  }
  const last = path.at(-1) ?? '';
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else if (isJsonObject(parent)) delete parent[String(last)];
  return copy;
}

function shortened(value: JsonValue | undefined): string {
  const text = value === undefined ? '(removed)' : JSON.stringify(value);
  return text.length <= 120 ? text : `${text.slice(0, 40)}...(${text.length})`;
}

/** A place that may already have a value: half of the time one that has. */
export function pickPlace(random: Random, places: readonly FieldPosition[], object: JsonObject): FieldPosition {
  const present = places.filter(({ path }) => valueAt(object, path) !== undefined);
  return random() < 0.5 && present.length > 0 ? pick(random, present) : pick(random, places);
}

export function valueAt(object: JsonObject, path: FieldPosition['path']): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const step of path) {
    value = Array.isArray(value) ? value[Number(step)] : isJsonObject(value) ? value[String(step)] : undefined;
  }
  return value;
}
