import type { JsonObject, JsonValue } from '../../../src/api/json/json.ts';

/** Values by path (`spec.containers.0.name`; `~` stands for a dot within a key); undefined removes the field. */
export interface Mutation {
  readonly [path: string]: JsonValue | undefined;
}

/** A valid object and its mutations. */
export interface KindCases {
  /** `v1/pods`, `apps/v1/deployments`. */
  readonly resource: string;
  readonly clusterScoped?: boolean;
  /** Distinguishes several bases of a resource. */
  readonly variant?: string;
  /** Feature gates of the server, if they are not the default ones. */
  readonly gates?: FeatureGates;
  readonly base: JsonObject;
  /** Fields of the stored object that creates must not have. */
  readonly createWithout?: readonly string[];
  /** Changes for creates, so that they do not collide with the stored object: the name. */
  readonly createWith?: Mutation;
  readonly create?: readonly Mutation[];
  readonly update?: readonly Mutation[];
  readonly status?: readonly Mutation[];
  /** Updates through other subresources, by name. */
  readonly subresources?: { readonly [name: string]: readonly Mutation[] };
  /** Applied to the stored object directly in etcd: changes that the server would refuse. */
  readonly planted?: Mutation;
  /** Applied to the stored object in sequence, before everything else. */
  readonly prepared?: readonly Preparation[];
}

export interface FeatureGates {
  readonly [name: string]: boolean;
}

/** `subresource` is empty for the object itself. */
export type Preparation = readonly [subresource: string, mutation: Mutation];

/** A copy of `object` with the mutation applied. */
export function mutated(object: JsonObject, mutation: Mutation): JsonObject {
  const copy = structuredClone(object);
  for (const [path, value] of Object.entries(mutation)) setPath(copy, path, value);
  return copy;
}

function setPath(root: JsonObject, path: string, value: JsonValue | undefined): void {
  const keys = path.split('.').map((key) => key.replaceAll('~', '.'));
  const last = keys.pop() ?? '';
  // Objects and lists are both indexed by key here.
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
