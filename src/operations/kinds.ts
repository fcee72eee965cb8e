import type { GroupVersionKind } from '../api/group-version.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Resource } from '../schema/resource.ts';
import type { Schema } from '../schema/schema.ts';
import { isUnstructured } from '../schema/unstructured.ts';
import type { ResourceScope } from './resource-scope.ts';

/** What is served and known at one moment, with what operations need of it. */
export interface KindRegistry {
  readonly catalogue: Catalogue;
  /** What is served at a path. */
  scopeOf(group: string, version: string, plural: string): ResourceScope | undefined;
  /** What is known at a path, served or not. */
  knownScopeOf(group: string, version: string, plural: string): ResourceScope | undefined;
  /** The resource that a kind is spoken of by, served or not. */
  scopeOfKind(kind: GroupVersionKind): ResourceScope | undefined;
}

/** The schema of a kind that a body claims to be of, as the server of the resource `served` knows it; undefined when it does not. */
export function claimedSchema(
  { catalogue }: KindRegistry,
  served: Pick<Resource, 'group' | 'schema'>,
  claimed: GroupVersionKind,
): Schema | undefined | Promise<Schema | undefined> {
  if (!isKnownTo(served, catalogue, claimed)) return undefined;
  return catalogue.schemaOf(claimed) ?? catalogue.loadSchemaOf(claimed);
}

/** Groups of servers that the reference is made of; each knows its own kinds alone. */
const groupsApart: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** Kinds that every server knows, of whatever version. */
const unversionedKinds: ReadonlySet<string> = new Set([
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
  'APIVersions',
  'Status',
]);

/** Whether the server of a resource knows a kind of this version, or may. */
function isKnownTo(
  { group: served, schema }: Pick<Resource, 'group' | 'schema'>,
  catalogue: Catalogue,
  { group, version, kind }: GroupVersionKind,
): boolean {
  if (unversionedKinds.has(kind)) return true;
  const known = catalogue.resourceOf({ group, version, kind })?.resource;
  // Custom kinds are known among themselves.
  if (isUnstructured(schema) || (known !== undefined && isUnstructured(known.schema))) return group === served;
  if (group !== served && (groupsApart.has(group) || groupsApart.has(served))) return false;
  return catalogue.isOfRelease(group, version);
}
