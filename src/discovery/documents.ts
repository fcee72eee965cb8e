import { encodeRaw } from '../api/json/json-text.ts';
import { formatApiVersion } from '../api/meta/group-version.ts';
import { nameOf, objectsIn, stringValue } from '../api/json/json-parts.ts';
import type { JsonObject } from '../api/json/json.ts';
import { keptBy, once } from '../api/collections/kept-by.ts';
import { sha512Of } from '../api/bytes/sha512.ts';
import type { Soon } from '../api/scheduling/soon.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { CatalogueGroup, CatalogueVersion } from '../catalogue/catalogue-group.ts';
import { aggregatedGroup, listed } from './aggregated.ts';
import { listedGroup, type ListedGroup, listedGroups } from './listed-groups.ts';
import { mergedGroups } from './merged-groups.ts';
import { resourceList } from './resource-list.ts';

/** An encoded discovery document. */
export interface DiscoveryDocument {
  readonly json: string;
}

/** A document with a validator for conditional requests. */
export interface ValidatedDocument {
  readonly json: Buffer;
  /** A strong validator without its quotes. */
  readonly etag: string;
}

export interface GroupDocuments {
  /** `/apis` */
  groups(): DiscoveryDocument;
  /** `/apis/{group}` */
  group(name: string): DiscoveryDocument | undefined;
}

/** The discovery documents of one catalogue snapshot. Each is built at first use and cached. */
export interface Discovery extends GroupDocuments {
  /** `/api` */
  versions(): DiscoveryDocument;
  /** The documents of groups, with the versions that other servers of the store serve. */
  groupsWith(others: readonly (readonly JsonObject[])[]): GroupDocuments;
  /** `/api/v1`, `/apis/{group}/{version}` */
  resources(group: string, version: string): DiscoveryDocument | undefined;
  /** `/api` in the aggregated form. */
  aggregatedCore(): Soon<ValidatedDocument>;
  /** `/apis` in the aggregated form. */
  aggregatedGroups(): Soon<ValidatedDocument>;
  /** `/apis` in the aggregated form, with what other servers of the store have published. */
  aggregatedWith(others: readonly (readonly JsonObject[])[]): Soon<ValidatedDocument>;
  /** Paths of groups and versions, sorted. */
  paths(): readonly string[];
}

export interface DiscoveryOptions {
  /** `192.0.2.1:6443` */
  readonly serverAddress: () => string;
}

/** Discovery of any snapshot. Documents of a group or version are cached until it changes. */
export function createDiscovery(options: DiscoveryOptions): (catalogue: Catalogue) => Discovery {
  return keptBy((catalogue: Catalogue) => discoveryOf(catalogue, options));
}

function discoveryOf(catalogue: Catalogue, { serverAddress }: DiscoveryOptions): Discovery {
  const core = catalogue.groups.filter(({ name }) => name === '');
  const named = catalogue.groups.filter(({ name }) => name !== '');
  return {
    versions: once(() => ({ json: encodeRaw(coreVersions(catalogue.group(''), serverAddress())) })),
    groups: once(() => groupList(listedGroups(catalogue).map(groupText))),
    group(name) {
      const group = name === '' ? undefined : listedGroup(catalogue, name);
      return group && groupDocument(group);
    },
    resources(name, version) {
      const found = catalogue.group(name)?.version(version);
      return found === undefined || found.resources.length === 0 ? undefined : versionDocument(found);
    },
    groupsWith: keptBy((others: readonly (readonly JsonObject[])[]) => {
      const groups = listedWith(listedGroups(catalogue), others);
      return {
        groups: once(() => groupList(groups.map(groupText))),
        group(name) {
          const group = groups.find((each) => each.name === name);
          return group && groupDocument(group);
        },
      };
    }),
    aggregatedCore: once(() => aggregated(core)),
    aggregatedGroups: once(() => aggregated(named)),
    aggregatedWith: keptBy((others: readonly (readonly JsonObject[])[]) => mergedWith(named, others)),
    paths: () => ['/api', '/apis', ...catalogue.groups.flatMap(pathsOf)].toSorted(),
  };
}

const versionDocument = keptBy(({ group, version, resources }: CatalogueVersion): DiscoveryDocument => ({
  json: encodeRaw(resourceList(group, version, resources)),
}));

/** What a document says of a group. */
interface NamedVersions {
  readonly name: string;
  readonly versions: readonly { readonly version: string }[];
}

function listedWith(own: readonly ListedGroup[], others: readonly (readonly JsonObject[])[]): readonly NamedVersions[] {
  const items = own.map(({ name, versions }) => ({
    metadata: { name },
    versions: versions.map(({ version }) => ({ version })),
  }));
  return mergedGroups([items, ...others]).map((item) => {
    return {
      name: nameOf(item),
      versions: objectsIn(item['versions']).map(({ version }) => ({ version: stringValue(version) })),
    };
  });
}

function groupList(texts: readonly string[]): DiscoveryDocument {
  return { json: `{"kind":"APIGroupList","apiVersion":"v1","groups":[${texts.join(',')}]}` };
}

const groupDocument = keptBy((group: NamedVersions): DiscoveryDocument => ({
  json: encodeRaw({ kind: 'APIGroup', apiVersion: 'v1', ...groupBody(group) }),
}));

/** The entry of a group in lists of groups. */
const groupText = keptBy((group: NamedVersions): string => encodeRaw(groupBody(group)));

const aggregatedItem = keptBy(aggregatedGroup);

function aggregated(groups: readonly CatalogueGroup[]): ValidatedDocument {
  const items: (readonly Buffer[])[] = [];
  for (const group of groups) {
    const item = aggregatedItem(group);
    if (item !== undefined) items.push(item);
  }
  const head = '{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[';
  const json = Buffer.concat(listed(head, items, ']}'));
  return { json, etag: sha512Of(json) };
}

function mergedWith(groups: readonly CatalogueGroup[], others: readonly (readonly JsonObject[])[]): ValidatedDocument {
  const own = groups.flatMap((group) => {
    const parts = aggregatedItem(group);
    return parts === undefined ? [] : [JSON.parse(Buffer.concat(parts).toString()) as JsonObject];
  });
  const items = mergedGroups([own, ...others]);
  const list = { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items: [...items] };
  const json = Buffer.from(encodeRaw(list));
  return { json, etag: sha512Of(json) };
}

function coreVersions(core: CatalogueGroup | undefined, serverAddress: string): JsonObject {
  return {
    kind: 'APIVersions',
    versions: (core?.versions ?? []).map(({ version }) => version),
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

function groupBody({ name, versions }: NamedVersions): JsonObject {
  const entries = versions.map(({ version }) => ({ groupVersion: formatApiVersion(name, version), version }));
  const [preferredVersion] = entries;
  return { name, versions: entries, ...(preferredVersion === undefined ? {} : { preferredVersion }) };
}

function pathsOf({ name, versions }: CatalogueGroup): string[] {
  const base = name === '' ? '/api' : `/apis/${name}`;
  return [...(name === '' ? [] : [base]), ...versions.map(({ version }) => `${base}/${version}`)];
}
