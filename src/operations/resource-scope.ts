import type { GroupResource, GroupVersionKind } from '../api/meta/group-version.ts';
import type { JsonObject } from '../api/json/json.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import type { Soon } from '../api/scheduling/soon.ts';
import type { Conversion } from '../registry/kinds/conversion.ts';
import type { KindResponses } from '../registry/kinds/kind-responses.ts';
import type { StoreKind } from '../registry/stored/store-kind.ts';
import { type StoredObject } from '../registry/stored/stored-object.ts';
import type { TableDefinition } from '../registry/kinds/table.ts';
import type { Resource, Subresource } from '../schema/resource.ts';
import type { Schema } from '../schema/schema.ts';

/** One resource in one served version, as verbs and operations see it. */
export interface ResourceScope {
  readonly resource: Resource;
  /** The name in errors. */
  readonly groupResource: GroupResource;
  /** Whether its objects have no Go type in the reference: custom resources. */
  readonly isUnstructured: boolean;
  /** Undefined for virtual resources. */
  readonly store: StoreKind | undefined;
  /** Between the served and the storage version. */
  readonly conversion: Conversion;
  /** Applies defaults in the served version. */
  applyDefaults(object: KubernetesObject): void;
  readonly responses: KindResponses;
  /** The Table definition of the kind, or of a subresource's kind. */
  tableOf(kind: GroupVersionKind): Promise<TableDefinition>;
  /** Counts requests, so that a removed kind is only torn down after the last one has ended. */
  readonly requests: RequestCount;
}

export interface RequestCount {
  begin(): void;
  end(): void;
}

/**
 * Defaults an object of the served version and converts it to the storage version. Pauses between steps that take long
 * for large objects.
 */
export async function defaultedForStore(scope: ResourceScope, object: KubernetesObject): Promise<KubernetesObject> {
  scope.applyDefaults(object);
  return await scope.conversion.toStored(object);
}

/** Decodes a stored object to the served version. */
export function decodeServed(
  { conversion }: ResourceScope,
  { codec }: StoreKind,
  stored: StoredObject,
): Soon<KubernetesObject> {
  return conversion.fromStored(codec.decode(stored));
}

/** Why an object of `schema`, as decoded, cannot be converted to what is stored; undefined if nothing can be wrong. */
export function unconvertibleIn(
  { resource, store }: ResourceScope,
  schema: Schema,
): ((object: Readonly<JsonObject>) => string | undefined) | undefined {
  const { strategy } = store ?? {};
  if (strategy?.unconvertible === undefined || schema !== resource.schema) return undefined;
  // Decoded by the schema of the kind, which has metadata.
  return (object) => strategy.unconvertible?.({ metadata: {}, ...object } as KubernetesObject);
}

/** A stored object in the served version, for kinds with synchronous conversion. */
export function servedNow({ conversion, resource }: ResourceScope, object: KubernetesObject): KubernetesObject {
  const served = conversion.fromStored(object);
  if (served instanceof Promise) throw new Error(`the conversion of ${resource.plural} is asynchronous`);
  return served;
}

/** The kind of a path: the resource's own or its subresource's. */
export interface ServedKind extends GroupVersionKind {
  readonly schema: Schema;
}

export function servedKind(resource: Resource, subresource: Subresource | undefined): ServedKind | undefined {
  if (subresource === undefined) return resource;
  const { group, version, kind, schema } = subresource;
  return schema === undefined ? undefined : { group, version, kind, schema };
}
