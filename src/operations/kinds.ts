import type { GroupVersionKind } from '../api/group-version.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { builtInGroups } from '../schema/kubernetes/resources.ts';
import type { Schema } from '../schema/schema.ts';
import type { ResourceScope } from './resource-scope.ts';

/** What is served and known at one moment, with what operations need of it. */
export interface KindRegistry {
  readonly catalogue: Catalogue;
  /** What is served at a path. */
  scopeOf(group: string, version: string, plural: string): ResourceScope | undefined;
  /** The resource that a kind is spoken of by, served or not. */
  scopeOfKind(kind: GroupVersionKind): ResourceScope | undefined;
}

/**
 * The schema of a kind that a body claims to be of, as the server of group `served` knows it; undefined when it does not. Kinds of versions that nobody
 * serves are known as well, but their schemas are loaded for the few bodies that name one.
 */
export function claimedSchema(
  { catalogue }: KindRegistry,
  served: string,
  claimed: GroupVersionKind,
): Schema | undefined | Promise<Schema | undefined> {
  if (!isKnownTo(served, catalogue, claimed)) return undefined;
  return catalogue.schemaOf(claimed) ?? unservedSchema(claimed);
}

async function unservedSchema(claimed: GroupVersionKind): Promise<Schema | undefined> {
  const { schemaOfAnyKind } = await import('../schema/kubernetes/unserved-kinds.ts');
  return schemaOfAnyKind(claimed);
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

/** Whether the server of a group knows a kind of this version, or may. */
function isKnownTo(served: string, catalogue: Catalogue, { group, version, kind }: GroupVersionKind): boolean {
  if (unversionedKinds.has(kind)) return true;
  if (group !== served && (groupsApart.has(group) || groupsApart.has(served))) return false;
  if (catalogue.resourceOf({ group, version, kind }) !== undefined) return true;
  const registered = builtInGroups().find(({ name }) => name === group);
  return registered?.versions.includes(version) === true || registered?.unservedVersions.includes(version) === true;
}
