import type { Int64 } from '../values/int64.ts';
import { copyJson, type JsonObject, type JsonValue } from '../json/json.ts';
import { keepNotes } from '../json/written-notes.ts';

/** `metadata` of every object (specification, "Common object fields"). */
export type ObjectMeta = {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: Int64;
  /** RFC 3339 in whole seconds, UTC. */
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: Int64;
  labels?: { [key: string]: string };
  annotations?: { [key: string]: string };
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: JsonObject[];
};

/** An entry of `metadata.ownerReferences`. */
export type OwnerReference = {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
};

/** A resource instance: anything with `metadata`. Other fields are read through the schema. */
export type KubernetesObject = {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: JsonValue;
};

/** A mutable deep copy; the field sets of managedFields are never changed in place, so both share them. */
export function cloneObject(object: Readonly<KubernetesObject>): KubernetesObject {
  const { managedFields } = object.metadata;
  // Objects are JSON-shaped; only `metadata` is typed.
  if (managedFields === undefined) return copyJson(object) as KubernetesObject;
  return withEntries(copyJson(withoutEntries(object)), managedFields);
}

/** As the JSON that it was decoded from or is encoded as. */
export function jsonOf(object: Readonly<KubernetesObject>): JsonObject {
  return object as unknown as JsonObject; // interfaces have no index signature
}

function withoutEntries(object: Readonly<KubernetesObject>): JsonObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return keepNotes(object, { ...object, metadata });
}

function withEntries(copied: JsonObject, managedFields: ObjectMeta['managedFields']): KubernetesObject {
  const copy = copied as KubernetesObject;
  if (managedFields !== undefined) copy.metadata.managedFields = managedFields.map((entry) => ({ ...entry }));
  return copy;
}
