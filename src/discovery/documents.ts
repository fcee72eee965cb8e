import { createHash } from 'node:crypto';
import { encodeRaw } from '../api/json-text.ts';
import { formatApiVersion } from '../api/group-version.ts';
import type { JsonObject, JsonValue } from '../api/json.ts';
import type { BuiltInGroup } from '../schema/kubernetes/resources.ts';
import type { Resource } from '../schema/resource.ts';
import { aggregatedGroup } from './aggregated.ts';
import { resourceList } from './resource-list.ts';

/** A discovery document as it goes out. */
export interface DiscoveryDocument {
  readonly json: string;
  /** Of the aggregated documents: a strong validator without its quotes. */
  readonly etag: string;
}

/** What a server tells of its resources. Each document is made at the first call and kept. */
export interface Discovery {
  /** `/api` */
  versions(): DiscoveryDocument;
  /** `/apis` */
  groups(): DiscoveryDocument;
  /** `/apis/{group}` */
  group(name: string): DiscoveryDocument | undefined;
  /** `/api/v1`, `/apis/{group}/{version}` */
  resources(group: string, version: string): DiscoveryDocument | undefined;
  /** `/api` in the aggregated form. */
  aggregatedCore(): DiscoveryDocument;
  /** `/apis` in the aggregated form. */
  aggregatedGroups(): DiscoveryDocument;
  /** Paths of groups and versions, sorted. */
  paths(): readonly string[];
}

export interface DiscoveryOptions {
  /** What is served, in discovery's order. */
  readonly resources: readonly Resource[];
  /** All groups in discovery's order, the core group among them. */
  readonly groups: readonly BuiltInGroup[];
  /** `192.0.2.1:6443` */
  serverAddress(): string;
}

/** A group with the versions of it that are served, preferred first. */
export interface ServedGroup {
  readonly name: string;
  readonly versions: readonly { readonly version: string; readonly resources: readonly Resource[] }[];
}

export function createDiscovery(options: DiscoveryOptions): Discovery {
  const { resources, groups } = options;
  const documents = new Map<string, DiscoveryDocument>();
  const served = servedGroups(resources, groups);
  const named = served.filter(({ name }) => name !== '');
  const keep = (key: string, make: () => JsonValue): DiscoveryDocument => {
    const known = documents.get(key);
    if (known !== undefined) return known;
    const json = encodeRaw(make());
    const document = { json, etag: createHash('sha512').update(json).digest('hex').toUpperCase() };
    documents.set(key, document);
    return document;
  };
  const aggregated = (from: readonly ServedGroup[]): JsonObject => ({
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: from.map(aggregatedGroup),
  });
  const findGroup = (name: string): ServedGroup | undefined => served.find((group) => group.name === name);
  return {
    versions: () =>
      keep('/api', () => ({
        kind: 'APIVersions',
        versions: (findGroup('')?.versions ?? []).map(({ version }) => version),
        serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: options.serverAddress() }],
      })),
    groups: () => keep('/apis', () => ({ kind: 'APIGroupList', apiVersion: 'v1', groups: named.map(groupBody) })),
    group(name) {
      const group = named.find((candidate) => candidate.name === name);
      return group && keep(`/apis/${name}`, () => ({ kind: 'APIGroup', apiVersion: 'v1', ...groupBody(group) }));
    },
    resources(name, version) {
      const found = findGroup(name)?.versions.find((candidate) => candidate.version === version);
      return found && keep(`${name}/${version}`, () => resourceList(name, version, found.resources));
    },
    aggregatedCore: () => keep('aggregated/api', () => aggregated(served.filter(({ name }) => name === ''))),
    aggregatedGroups: () => keep('aggregated/apis', () => aggregated(named)),
    paths: () =>
      [
        '/api',
        '/apis',
        ...served.flatMap(({ name, versions }) => {
          const base = name === '' ? '/api' : `/apis/${name}`;
          return [...(name === '' ? [] : [base]), ...versions.map(({ version }) => `${base}/${version}`)];
        }),
      ].toSorted(),
  };
}

function servedGroups(resources: readonly Resource[], groups: readonly BuiltInGroup[]): ServedGroup[] {
  return groups
    .map(({ name, versions }) => ({
      name,
      versions: versions
        .map((version) => ({
          version,
          resources: resources.filter((resource) => resource.group === name && resource.version === version),
        }))
        .filter(({ resources: found }) => found.length > 0),
    }))
    .filter(({ versions }) => versions.length > 0);
}

function groupBody({ name, versions }: ServedGroup): JsonObject {
  const entries = versions.map(({ version }) => ({ groupVersion: formatApiVersion(name, version), version }));
  const [preferredVersion] = entries;
  return { name, versions: entries, ...(preferredVersion === undefined ? {} : { preferredVersion }) };
}
