import type { JsonObject, JsonValue } from '../../src/api/json.ts';

/** Values by path (`spec.containers.0.name`; `~` is a dot inside a key); undefined takes the field away. */
export interface Mutation {
  readonly [path: string]: JsonValue | undefined;
}

/** One object that the reference takes, and what is done to it. */
export interface KindCases {
  /** `v1/pods`, `apps/v1/deployments`. */
  readonly resource: string;
  readonly clusterScoped?: boolean;
  /** Told apart from other bases of the resource. */
  readonly variant?: string;
  readonly base: JsonObject;
  /** Fields of the stored object that a creation must not bring. */
  readonly createWithout?: readonly string[];
  /** What creations change, so that they do not meet the stored object: the name. */
  readonly createWith?: Mutation;
  readonly create?: readonly Mutation[];
  readonly update?: readonly Mutation[];
  readonly status?: readonly Mutation[];
  /** Updates through other subresources, by their names. */
  readonly subresources?: { readonly [name: string]: readonly Mutation[] };
  /** Done to the stored object behind the server's back: what it would not take itself. */
  readonly planted?: Mutation;
  /** Done to the stored object, one after the other, before all else. */
  readonly prepared?: readonly Preparation[];
}

/** `subresource` is empty for the object itself. */
export type Preparation = readonly [subresource: string, mutation: Mutation];

/** A copy of `object` with the mutation. */
export function mutated(object: JsonObject, mutation: Mutation): JsonObject {
  const copy = structuredClone(object);
  for (const [path, value] of Object.entries(mutation)) setPath(copy, path, value);
  return copy;
}

function setPath(root: JsonObject, path: string, value: JsonValue | undefined): void {
  const keys = path.split('.').map((key) => key.replaceAll('~', '.'));
  const last = keys.pop() ?? '';
  // Objects and lists are both read by key here.
  let target = root as { [key: string]: JsonValue };
  for (const [index, key] of keys.entries()) {
    const isList = /^\d+$/.test(keys[index + 1] ?? last);
    target[key] ??= isList ? [] : {};
    target = target[key] as { [key: string]: JsonValue };
  }
  if (value !== undefined) target[last] = structuredClone(value);
  else if (Array.isArray(target)) target.splice(Number(last), 1);
  else delete target[last];
}
