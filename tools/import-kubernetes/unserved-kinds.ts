// The kinds that the release has but no path serves: those of older versions, options, messages between servers.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { PublishedDefinition } from './openapi-source.ts';
import type { SourcePackage } from './packages.ts';

/** Kinds of every group version, including unversioned ones, which every group version has as well. */
const commonKinds = [
  'CreateOptions',
  'DeleteOptions',
  'GetOptions',
  'ListOptions',
  'PatchOptions',
  'UpdateOptions',
  'WatchEvent',
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
  'APIVersions',
  'Status',
];

/** One package per line: group version (`*` for all), package, kinds that the published documents do not name. */
export function unservedKindsTable(
  packages: Iterable<SourcePackage>,
  published: ReadonlyMap<string, PublishedDefinition>,
): string {
  const lines = [`* meta/v1 ${commonKinds.join(' ')}`];
  for (const source of packages) {
    // The kinds of the meta package are common ones, and those that responses can be converted to.
    if (source.key === 'meta/v1') continue;
    const register = readRegistration(source);
    if (register === undefined) continue;
    const kinds = register.kinds.filter((kind) => published.get(`${source.prefix}.${kind}`)?.kindOf === undefined);
    const own = kinds.filter((kind) => source.types.get(kind)?.form !== 'alias');
    if (own.length > 0) lines.push(`${register.groupVersion} ${source.key} ${own.join(' ')}`);
    for (const kind of kinds) {
      const type = source.types.get(kind);
      if (type?.form === 'alias') lines.push(`${register.groupVersion} ${type.expression.replace('.', ' ')}`);
    }
  }
  return lines.join('\n');
}

function readRegistration({
  dir,
}: SourcePackage): { readonly groupVersion: string; readonly kinds: readonly string[] } | undefined {
  const file = join(dir, 'register.go');
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  const group = /GroupName = "([^"]*)"/.exec(text)?.[1];
  const version = /Version: "(\w+)"/.exec(text)?.[1];
  if (group === undefined || version === undefined) return undefined;
  const kinds = [...text.matchAll(/^\t+&(\w+)\{\},$/gm)].map(([, kind = '']) => kind);
  return { groupVersion: `${group}/${version}`, kinds: kinds.toSorted() };
}
