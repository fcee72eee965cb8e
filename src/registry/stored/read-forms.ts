import { isJsonObject, type JsonObject } from '../../api/json/json.ts';
import { jsonOf, type KubernetesObject } from '../../api/meta/object.ts';
import { withResourceVersion } from '../../codec/stored-object.ts';
import type { KnownFields } from '../../patch/known-fields.ts';
import { isUnstructuredKind } from '../../schema/unstructured.ts';
import { keepState, type KnownState } from './known-states.ts';
import type { StoreKind } from './store-kind.ts';

/**
 * The state that an object was decoded from, if it is going to be changed. Stored objects are in wire form already,
 * which saves computing it.
 */
const stateOf = new WeakMap<Readonly<KubernetesObject>, KnownState>();

export function rememberState(object: KubernetesObject, state: KnownState): void {
  stateOf.set(object, state);
}

/** The state that an object read for a change was decoded from; undefined for others. */
export function readState(object: Readonly<KubernetesObject>): KnownState | undefined {
  return stateOf.get(object);
}

/** Keeps the state that an object, read for a change, was decoded from. */
export function keepRead(kind: Pick<StoreKind, 'resource'>, key: string, object: Readonly<KubernetesObject>): void {
  const state = readState(object);
  if (state !== undefined && !isUnstructuredKind(kind.resource)) keepState(key, state);
}

/** The fields of an object read for a change in wire form, and as they are decoded; undefined for others. */
export function knownFields(object: Readonly<KubernetesObject>): KnownFields | undefined {
  const state = readState(object);
  if (state === undefined || state.hasZeroTimes === true) return undefined;
  return { formed: state.parsed, decoded: jsonOf(object) };
}

/** The wire form of an object read for a change and not modified since; undefined for others. */
export function readForm(object: Readonly<KubernetesObject>): JsonObject | undefined {
  const parsed = readState(object)?.parsed;
  const { resourceVersion } = object.metadata;
  if (parsed === undefined || resourceVersion === undefined || !isJsonObject(parsed['metadata'])) return parsed;
  return { ...parsed, metadata: withResourceVersion(parsed['metadata'], resourceVersion) };
}
