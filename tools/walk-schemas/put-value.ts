import { isJsonObject, type JsonObject, type JsonValue, setOwn, getOwn } from '../../src/api/json/json.ts';
import type { Schema } from '../../src/schema/schema.ts';
import type { FieldPosition, Step } from './places.ts';

/**
 * The surroundings of the value:
 *
 * | surroundings | absent parents are | present parents keep |
 * |---|---|---|
 * | sparse | empty except for the path | all they have |
 * | bare | empty except for the path | nothing but the path, for the innermost one |
 * | lush | filled with plausible values | all they have |
 */
export type Surroundings = 'sparse' | 'bare' | 'lush';
export const allSurroundings: readonly Surroundings[] = ['sparse', 'bare', 'lush'];

/** Creates an absent parent. */
export type Fill = (schema: Schema) => JsonValue;

/** A copy of `object` with `value` at its place. */
export function putValue(
  object: JsonObject,
  { path, parents }: FieldPosition,
  {
    value,
    surroundings,
    fill,
  }: { readonly value: JsonValue; readonly surroundings: Surroundings; readonly fill: Fill },
): JsonObject {
  const put = (here: JsonValue | undefined, depth: number): JsonValue => {
    const step = path[depth];
    const schema = parents[depth];
    if (step === undefined || schema === undefined) return structuredClone(value);
    // In a union, the existing value may be of the other type.
    const present = typeof step === 'number' ? Array.isArray(here) : isJsonObject(here);
    const filled = present ? here : surroundings === 'lush' ? fill(schema) : undefined;
    const isLast = depth === path.length - 1;
    const kept = surroundings === 'bare' && isLast && depth > 0 ? undefined : filled;
    return withMember(kept, step, put(memberOf(filled, step), depth + 1));
  };
  const made = put(object, 0);
  return isJsonObject(made) ? made : {};
}

function memberOf(parent: JsonValue | undefined, step: Step): JsonValue | undefined {
  if (typeof step === 'number') return Array.isArray(parent) ? parent[step] : undefined;
  return isJsonObject(parent) ? getOwn(parent, step) : undefined;
}

function withMember(parent: JsonValue | undefined, step: Step, member: JsonValue): JsonValue {
  if (typeof step === 'number') {
    const list = Array.isArray(parent) ? [...parent] : [];
    list[step] = member;
    return list;
  }
  const object = isJsonObject(parent) ? { ...parent } : {};
  setOwn(object, step, member);
  return object;
}
