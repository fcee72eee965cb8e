import type { GroupResource, GroupVersionKind } from '../api/group-version.ts';
import type { KubernetesObject } from '../api/object.ts';
import type { Work } from '../api/turns.ts';
import type { StoreKind } from '../registry/store-kind.ts';
import type { TableDefinition } from '../registry/table.ts';
import type { Resource, Subresource } from '../schema/resource.ts';
import type { Schema } from '../schema/schema.ts';

/** One resource as it is served in one version: what the verbs need to know of it. */
export interface ResourceScope {
  readonly resource: Resource;
  /** As errors name it. */
  readonly groupResource: GroupResource;
  /** Undefined for virtual resources. */
  readonly store: StoreKind | undefined;
  /** Whether the served version is the stored one, so that stored bytes go out as they are. */
  readonly servesStoredVersion: boolean;
  /** Fills in what a client may leave out; in the served version. */
  applyDefaults(object: KubernetesObject): Work<void>;
  /** Between the served and the stored version. */
  toStored(object: KubernetesObject): KubernetesObject;
  fromStored(object: KubernetesObject): KubernetesObject;
  /** How the kind prints as a Table, or that of one of its subresources. */
  tableOf(kind: GroupVersionKind): Promise<TableDefinition>;
  /** Told of each request, so that what it works with stays until it has ended, even if the kind goes meanwhile. */
  readonly requests: RequestCount;
}

export interface RequestCount {
  begin(): void;
  end(): void;
}

/** An object of the served version, defaulted, in the stored one. Pauses between steps that take long for large objects. */
export function* defaultedForStore(scope: ResourceScope, object: KubernetesObject): Work<KubernetesObject> {
  yield* scope.applyDefaults(object);
  yield;
  return scope.toStored(object);
}

/** The kind that a path speaks: the resource's own, or its subresource's. */
export interface ServedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: Schema;
}

export function servedKind(resource: Resource, subresource: Subresource | undefined): ServedKind | undefined {
  if (subresource === undefined) return resource;
  const { group, version, kind, schema } = subresource;
  return schema === undefined ? undefined : { group, version, kind, schema };
}
