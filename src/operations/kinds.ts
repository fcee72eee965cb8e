import { formatApiVersion, type GroupVersionKind } from '../api/meta/group-version.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { StoreLocation } from '../registry/stored/store-kind.ts';
import type { Resource } from '../schema/resource.ts';
import type { Schema } from '../schema/schema.ts';
import { isUnstructured } from '../schema/unstructured.ts';
import type { ResourceScope } from './resource-scope.ts';

/** A catalogue snapshot with what operations need. */
export interface KindRegistry {
  readonly catalogue: Catalogue;
  /** The resource served at a path. */
  scopeOf(group: string, version: string, plural: string): ResourceScope | undefined;
  /** The resource known at a path, served or not. */
  knownScopeOf(group: string, version: string, plural: string): ResourceScope | undefined;
  /** Where the objects of a resource known at a path are. Costs less than its scope. */
  placeOf(group: string, version: string, plural: string): StoreLocation | undefined;
  /** The resource of a kind, served or not. */
  scopeOfKind(kind: GroupVersionKind): ResourceScope | undefined;
}

/**
 * The schema of the kind that a body claims to be, if the reference's server for the resource `served` knows that kind;
 * undefined otherwise.
 */
export function claimedSchema(
  { catalogue }: KindRegistry,
  served: Pick<Resource, 'group' | 'schema'>,
  claimed: GroupVersionKind,
): Schema | undefined | Promise<Schema | undefined> {
  if (!isKnownTo(served, catalogue, claimed)) return undefined;
  return catalogue.schemaOf(claimed) ?? catalogue.loadSchemaOf(claimed);
}

/** Where the reference looks for kinds of scales of custom resources. */
const scaleVersions: readonly string[] = ['autoscaling/v1', 'extensions/v1beta1', 'apps/v1beta1', 'apps/v1beta2'];

/** Schema of a kind that a scale of a custom resource may claim after a patch. */
export function claimedScaleSchema(
  { catalogue }: KindRegistry,
  claimed: GroupVersionKind,
): Schema | undefined | Promise<Schema | undefined> {
  const isKnown =
    unversionedKinds.has(claimed.kind) || scaleVersions.includes(formatApiVersion(claimed.group, claimed.version));
  return isKnown ? (catalogue.schemaOf(claimed) ?? catalogue.loadSchemaOf(claimed)) : undefined;
}

/** API groups served by separate servers within the reference; each knows only its own kinds. */
const groupsApart: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** Kinds that every server knows, in any version. */
const unversionedKinds: ReadonlySet<string> = new Set([
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
  'APIVersions',
  'Status',
]);

/** Whether the server of a resource knows, or may know, a kind of this version. */
function isKnownTo(
  { group: served, schema }: Pick<Resource, 'group' | 'schema'>,
  catalogue: Catalogue,
  { group, version, kind }: GroupVersionKind,
): boolean {
  if (unversionedKinds.has(kind)) return true;
  const known = catalogue.resourceOf({ group, version, kind })?.resource;
  // Custom kinds are known only within their own group.
  if (isUnstructured(schema) || (known !== undefined && isUnstructured(known.schema))) return group === served;
  if (group !== served && (groupsApart.has(group) || groupsApart.has(served))) return false;
  return catalogue.isOfRelease(group, version);
}
