// Discovery documents in a form small enough to keep. Run with the recordings of a server with every API and of one
// with defaults, it writes testdata/discovery-digests.json, with which the unit test compares the table.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatApiVersion } from '../../src/api/meta/group-version.ts';
import type { Resource } from '../../src/schema/resource.ts';
import { storageVersionHash } from '../../src/schema/storage-version-hash.ts';
import { canonicalJson, digest } from './digest.ts';
import type { ApiResource } from './discovery-source.ts';

export const discoveryDigestsFile = join(import.meta.dirname, 'testdata/discovery-digests.json');

/** A recording of discovery: groups in order, preferred version of each, resources by group version. */
export interface DiscoveryRecord {
  readonly order: readonly string[];
  readonly preferred: { readonly [group: string]: string };
  readonly resources: { readonly [groupVersion: string]: readonly ApiResource[] };
}

export interface DiscoveryDigests {
  readonly order: readonly string[];
  readonly preferred: { readonly [group: string]: string };
  /** Group versions in discovery order, with digests of their resources. */
  readonly all: { readonly [groupVersion: string]: string };
  readonly servedByDefault: { readonly [groupVersion: string]: string };
}

/** Digest of the resource lists by group version. */
export function digestLists(resources: DiscoveryRecord['resources']): { [groupVersion: string]: string } {
  return Object.fromEntries(
    Object.entries(resources).map(([groupVersion, list]) => [groupVersion, digest(canonicalJson(list))]),
  );
}

/** The discovery lists of these resources. */
export function discoveryLists(resources: readonly Resource[]): { [groupVersion: string]: ApiResource[] } {
  const lists: { [groupVersion: string]: ApiResource[] } = {};
  for (const resource of resources) {
    const list = (lists[formatApiVersion(resource.group, resource.version)] ??= []);
    list.push(resourceEntry(resource), ...resource.subresources.map((each) => subresourceEntry(resource, each)));
  }
  return lists;
}

function resourceEntry(resource: Resource): ApiResource {
  return {
    name: resource.plural,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: resource.verbs,
    ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
    ...(resource.categories.length === 0 ? {} : { categories: resource.categories }),
    ...(resource.storage === undefined ? {} : { storageVersionHash: storageVersionHash(resource.storage) }),
  };
}

function subresourceEntry(
  resource: Resource,
  { name, kind, verbs, group, version }: Resource['subresources'][number],
): ApiResource {
  const foreign = group === resource.group && version === resource.version ? {} : { group, version };
  return {
    name: `${resource.plural}/${name}`,
    singularName: '',
    namespaced: resource.namespaced,
    kind,
    verbs,
    ...foreign,
  };
}

function readRecord(path: string | undefined): DiscoveryRecord {
  // Recorded from a running server, of a known shape.
  return JSON.parse(readFileSync(path ?? '', 'utf8')) as DiscoveryRecord;
}

if (import.meta.main) {
  const all = readRecord(process.argv[2]);
  const byDefault = readRecord(process.argv[3]);
  const digests: DiscoveryDigests = {
    order: all.order,
    preferred: all.preferred,
    all: digestLists(all.resources),
    servedByDefault: digestLists(byDefault.resources),
  };
  writeFileSync(discoveryDigestsFile, `${JSON.stringify(digests, null, 2)}\n`);
}
