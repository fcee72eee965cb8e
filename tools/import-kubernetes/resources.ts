// Converts the discovery documents to the rows of the resources table (its grammar:
// src/schema/kubernetes/resources.ts).
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readApiResources, readGroups, type ApiResource } from './discovery-source.ts';
import { readEtcdData, type StorageRow } from './etcd-data.ts';
import type { SourcePackage } from './packages.ts';
import { readResourceGates } from './resource-gates.ts';

export interface ResourceSources {
  readonly kubernetesDir: string;
  readonly packages: ReadonlyMap<string, SourcePackage>;
  /** Definition name by `group/version/kind`. */
  readonly definitions: ReadonlyMap<string, string>;
  /** Registered versions, served or not, by group. */
  readonly registered: ReadonlyMap<string, readonly string[]>;
}

const verbLetters: { readonly [verb: string]: string } = {
  create: 'c',
  delete: 'd',
  deletecollection: 'D',
  get: 'g',
  list: 'l',
  patch: 'p',
  update: 'u',
  watch: 'w',
};

/** The whole table. */
export function resourcesTable(sources: ResourceSources): string {
  const groups = readGroups(sources.kubernetesDir);
  const storage = readEtcdData(sources.kubernetesDir);
  const rawPaths = readRawPaths(sources.kubernetesDir);
  const gates = readResourceGates(sources.kubernetesDir);
  const rows = groups.flatMap((group) => {
    const unserved = (sources.registered.get(group.name) ?? []).filter((version) => !group.versions.includes(version));
    return [
      `=${group.name}${unserved.length === 0 ? '' : ` unserved=${unserved.join(',')}`}`,
      ...group.versions.flatMap((version) =>
        versionRows({ group: group.name, version, sources, storage, rawPaths, gates }),
      ),
    ];
  });
  const other = [...sources.registered].filter(([name]) => !groups.some((group) => group.name === name));
  const unservedRows = other.map(([name, versions]) => `=${name} unserved=${versions.join(',')}`).sort();
  return `${[...rows, ...unservedRows].join('\n')}\n`;
}

interface VersionSources {
  readonly group: string;
  readonly version: string;
  readonly sources: ResourceSources;
  readonly storage: ReadonlyMap<string, StorageRow>;
  readonly rawPaths: ReadonlySet<string>;
  readonly gates: ReadonlyMap<string, string>;
}

function versionRows(from: VersionSources): string[] {
  const resources = readApiResources(from.sources.kubernetesDir, from.group, from.version);
  const main = resources.find(({ name }) => !name.includes('/'));
  const source = packageOf(from, main?.kind ?? '');
  return [`@${from.version} ${source.key}`, ...resources.map((resource) => resourceRow(resource, source, from))];
}

function packageOf({ sources, group, version }: VersionSources, kind: string): SourcePackage {
  const definition = sources.definitions.get(`${group}/${version}/${kind}`) ?? '';
  const source = [...sources.packages.values()].find(
    ({ prefix }) => prefix === definition.slice(0, definition.lastIndexOf('.')),
  );
  if (source === undefined) throw new Error(`no package holds ${group}/${version} ${kind}`);
  return source;
}

function resourceRow(resource: ApiResource, source: SourcePackage, from: VersionSources): string {
  const verbs = resource.verbs.map((verb) => verbLetters[verb] ?? fail(`unknown verb ${verb}`)).join('');
  const slash = resource.name.indexOf('/');
  if (slash !== -1) {
    const { group = from.group, version = from.version } = resource;
    const raw = from.rawPaths.has(`${from.group}/${from.version}/${resource.name}`);
    const foreign = group === from.group && version === from.version ? '' : ` of=${group}/${version}`;
    return ` /${resource.name.slice(slash + 1)} ${resource.kind} ${verbs}${foreign}${raw ? ' raw' : ''}`;
  }
  const { introduced, deprecated, removed, replacement } = source.lifecycles.get(resource.kind) ?? {};
  return [
    `${resource.name} ${resource.singularName} ${resource.kind} ${resource.namespaced ? 'N' : 'C'} ${verbs}`,
    mark('short', resource.shortNames?.join(',')),
    mark('categories', resource.categories?.join(',')),
    storageMark(resource, from),
    mark('gate', from.gates.get(`${from.group}/${from.version}/${resource.name}`)),
    mark('introduced', introduced),
    mark('deprecated', deprecated),
    mark('removed', removed),
    mark('replacement', replacement),
  ].join('');
}

/** Key prefix and stored kind, checked against the hash published in discovery. */
function storageMark(resource: ApiResource, { group, version, storage }: VersionSources): string {
  const row = storage.get(`${group}/${version}/${resource.name}`);
  if (resource.storageVersionHash === undefined) return '';
  if (row === undefined) throw new Error(`${group}/${version} ${resource.name} is stored, but nothing says where`);
  const own = `${group}/${version}/${resource.kind}`;
  const hash = createHash('sha256')
    .update(row.storedAs ?? own)
    .digest()
    .subarray(0, 8)
    .toString('base64');
  if (hash !== resource.storageVersionHash) throw new Error(`${own} is not stored as ${row.storedAs ?? own}`);
  return ` store=${row.prefix}${row.storedAs === undefined || row.storedAs === own ? '' : ` as=${row.storedAs}`}`;
}

/** `group/version/plural/subresource` of the paths whose body is not an object. */
function readRawPaths(kubernetesDir: string): ReadonlySet<string> {
  const raw = new Set<string>();
  // The document of the release, of a known shape.
  const { paths } = JSON.parse(readFileSync(join(kubernetesDir, 'api/openapi-spec/swagger.json'), 'utf8')) as {
    paths: { [path: string]: { get?: { responses?: { '200'?: { schema?: { type?: string } } } } } };
  };
  for (const [path, { get }] of Object.entries(paths)) {
    const match = /^\/apis?\/(?:([^/]+)\/)?(v[^/]+)\/(?:namespaces\/\{namespace\}\/)?([^/]+)\/\{name\}\/([^/]+)$/.exec(
      path,
    );
    if (match !== null && get?.responses?.['200']?.schema?.type === 'string')
      raw.add([match[1] ?? '', ...match.slice(2)].join('/'));
  }
  return raw;
}

function mark(name: string, value: string | undefined): string {
  return value === undefined || value === '' ? '' : ` ${name}=${value}`;
}

function fail(message: string): never {
  throw new Error(message);
}
