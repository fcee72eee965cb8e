import type { GroupResource, GroupVersionKind } from '../api/group-version.ts';
import type { KubernetesObject } from '../api/object.ts';
import { awaited, type Work } from '../api/turns.ts';
import type { Conversion } from '../registry/conversion.ts';
import type { KindAnswers } from '../registry/kind-answers.ts';
import type { StoreKind } from '../registry/store-kind.ts';
import type { TableDefinition } from '../registry/table.ts';
import type { Resource, Subresource } from '../schema/resource.ts';
import type { Schema } from '../schema/schema.ts';

/** One resource as it is served in one version: what the verbs need to know of it. */
export interface ResourceScope {
  readonly resource: Resource;
  /** As errors name it. */
  readonly groupResource: GroupResource;
  /** Whether its objects have no Go type in the reference: those of custom kinds. */
  readonly isUnstructured: boolean;
  /** Undefined for virtual resources. */
  readonly store: StoreKind | undefined;
  /** Between the served and the stored version. */
  readonly conversion: Conversion;
  /** Fills in what a client may leave out; in the served version. */
  applyDefaults(object: KubernetesObject): Work<void>;
  readonly answers: KindAnswers;
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
  return yield* awaited(scope.conversion.toStored(object));
}

/** A stored object as it is served, of kinds whose conversion does not wait. */
export function servedNow({ conversion, resource }: ResourceScope, object: KubernetesObject): KubernetesObject {
  const served = conversion.fromStored(object);
  if (served instanceof Promise) throw new Error(`the conversion of ${resource.plural} has to be waited for`);
  return served;
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
