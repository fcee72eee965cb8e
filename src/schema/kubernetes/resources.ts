import { definitionName, schemaByName } from './definitions.ts';
import { resources as table } from './generated/resources.ts';
import type { Schema } from '../schema.ts';
import { withRemovedVersions } from './removed-versions.ts';
import type { Resource, ResourceStorage, ResourceVerb, Subresource } from '../resource.ts';

/*
 * One row per resource, in discovery order:
 *
 *   =autoscaling unserved=v2beta1      a group; registered versions that are not served
 *   @v1 autoscaling/v1                 a version (preferred first), and the package of its definitions
 *   horizontalpodautoscalers horizontalpodautoscaler HorizontalPodAutoscaler N cdDglpuw short=hpa ...
 *    /status HorizontalPodAutoscaler gpu
 *
 * N is namespaced, C is not. Verbs: c create, d delete, D deletecollection, g get, l list, p patch, u update, w watch.
 */

/** A built-in group and its versions. */
export interface BuiltInGroup {
  readonly name: string;
  /** Served versions, preferred first; empty for internal groups. */
  readonly versions: readonly string[];
  /** Registered versions that are not served; configuring them is not an error. */
  readonly unservedVersions: readonly string[];
}

interface Table {
  readonly groups: readonly BuiltInGroup[];
  readonly resources: readonly Resource[];
}

let parsed: Table | undefined;

/** Groups in discovery order, the core group first. */
export function builtInGroups(): readonly BuiltInGroup[] {
  parsed ??= parseTable();
  return parsed.groups;
}

/** All resources of the release in all versions, in discovery order, served by default or not. */
export function builtInResources(): readonly Resource[] {
  parsed ??= parseTable();
  return parsed.resources;
}

function parseTable(): Table {
  const groups: { name: string; versions: string[]; unservedVersions: readonly string[] }[] = [];
  const resources: Resource[] = [];
  let version = '';
  let packageKey = '';
  let subresources: Subresource[] = [];
  for (const line of table.split('\n')) {
    const group = groups.at(-1);
    if (line.startsWith('=')) {
      const [name = '', unserved = ''] = line.slice(1).split(' unserved=');
      groups.push({ name, versions: [], unservedVersions: unserved === '' ? [] : unserved.split(',') });
    } else if (line.startsWith('@')) {
      [version = '', packageKey = ''] = line.slice(1).split(' ');
      group?.versions.push(version);
    } else if (line.startsWith(' ')) {
      subresources.push(parseSubresource(line.slice(2), { group: group?.name ?? '', version, packageKey }));
    } else if (line !== '') {
      subresources = [];
      resources.push(parseResource(line, { group: group?.name ?? '', version, packageKey }, subresources));
    }
  }
  return { groups, resources: withRemovedVersions(resources) };
}

interface VersionOfRow {
  readonly group: string;
  readonly version: string;
  readonly packageKey: string;
}

function parseResource(
  row: string,
  { group, version, packageKey }: VersionOfRow,
  subresources: readonly Subresource[],
): Resource {
  const [plural = '', singular = '', kind = '', scope, verbs = '', ...marks] = row.split(' ');
  const values = new Map(marks.map((mark) => splitMark(mark)));
  const storage = parseStorage(values, { group, version, kind });
  const replacement = values.get('replacement')?.split('/');
  let schema: Schema | undefined;
  return {
    group,
    version,
    plural,
    singular,
    kind,
    listKind: `${kind}List`,
    shortNames: listOf(values.get('short')),
    categories: listOf(values.get('categories')),
    namespaced: scope === 'N',
    verbs: verbsOf(verbs),
    subresources,
    unstructured: false,
    get schema() {
      return (schema ??= schemaOfKind(packageKey, kind));
    },
    ...(storage === undefined ? {} : { storage }),
    ...optionalTexts(values),
    ...(replacement === undefined
      ? {}
      : { replacement: { group: replacement[0] ?? '', version: replacement[1] ?? '', kind: replacement[2] ?? '' } }),
  };
}

const optionalMarks = {
  introduced: 'introduced',
  deprecated: 'deprecated',
  removed: 'removed',
  gate: 'featureGate',
} as const;

type OptionalTexts = Pick<Resource, 'introduced' | 'deprecated' | 'removed' | 'featureGate'>;

function optionalTexts(values: ReadonlyMap<string, string>): OptionalTexts {
  const result: { -readonly [Key in keyof OptionalTexts]: OptionalTexts[Key] } = {};
  for (const mark of ['introduced', 'deprecated', 'removed', 'gate'] as const) {
    const text = values.get(mark);
    if (text !== undefined) result[optionalMarks[mark]] = text;
  }
  return result;
}

function parseStorage(
  values: ReadonlyMap<string, string>,
  own: { readonly group: string; readonly version: string; readonly kind: string },
): ResourceStorage | undefined {
  const prefix = values.get('store');
  if (prefix === undefined) return undefined;
  const [group = own.group, version = own.version, kind = own.kind] = values.get('as')?.split('/') ?? [];
  return { prefix, group, version, kind };
}

function parseSubresource(row: string, own: VersionOfRow): Subresource {
  const [name = '', kind = '', verbs = '', ...marks] = row.split(' ');
  const values = new Map(marks.map((mark) => splitMark(mark)));
  const [group = own.group, version = own.version] = values.get('of')?.split('/') ?? [];
  const base = { name, kind, group, version, verbs: verbsOf(verbs) };
  if (values.has('raw')) return base;
  let schema: Schema | undefined;
  return {
    ...base,
    get schema() {
      return (schema ??= schemaOfKind(packageKeyOf(group, version, own), kind));
    },
  };
}

/**
 * Package of a kind from another group: `policy/v1` and `autoscaling/v1` are named after the group, without its domain.
 */
function packageKeyOf(group: string, version: string, own: VersionOfRow): string {
  if (group === own.group && version === own.version) return own.packageKey;
  return `${group.split('.')[0]}/${version}`;
}

function schemaOfKind(packageKey: string, kind: string): Schema {
  const name = definitionName(packageKey, kind);
  const schema = schemaByName(name);
  if (schema === undefined) throw new Error(`no definition ${name}`);
  return schema;
}

function splitMark(mark: string): [string, string] {
  const equals = mark.indexOf('=');
  return equals === -1 ? [mark, ''] : [mark.slice(0, equals), mark.slice(equals + 1)];
}

function listOf(value: string | undefined): readonly string[] {
  return value === undefined ? [] : value.split(',');
}

const verbsByLetter: { readonly [letter: string]: ResourceVerb } = {
  c: 'create',
  d: 'delete',
  D: 'deletecollection',
  g: 'get',
  l: 'list',
  p: 'patch',
  u: 'update',
  w: 'watch',
};

function verbsOf(letters: string): ResourceVerb[] {
  return [...letters].map((letter) => {
    const verb = verbsByLetter[letter];
    if (verb === undefined) throw new Error(`no verb is called ${letter}`);
    return verb;
  });
}
