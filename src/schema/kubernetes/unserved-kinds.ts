import type { GroupVersionKind } from '../../api/meta/group-version.ts';
import type { Schema } from '../schema.ts';
import { DefinitionTable } from './definition-table.ts';
import { definitions, schemaOfKind } from './definitions.ts';
import { unservedDefinitions } from './generated/unserved-definitions.ts';
import { unservedKinds } from './generated/unserved-kinds.ts';

/*
 * Kinds that the release has but no path serves: those of older versions, options, messages between servers. Requests
 * rarely name one, so this module is imported lazily (`import()`).
 *
 *   * meta/v1 ListOptions ...            kinds of every group version, and their package
 *   apps/v1beta1 apps/v1beta1 Scale ...
 */

const table = new DefinitionTable(unservedDefinitions, definitions);

/** Package by `group/version/kind`, and by kind for kinds of every group version. */
const packages = new Map(
  unservedKinds.split('\n').flatMap((line) => {
    const [groupVersion = '', key = '', ...kinds] = line.split(' ');
    return kinds.map((kind) => [groupVersion === '*' ? kind : `${groupVersion}/${kind}`, key] as const);
  }),
);

/** Schema of any kind of the release, served or not. */
export function schemaOfAnyKind(wanted: GroupVersionKind): Schema | undefined {
  const served = schemaOfKind(wanted);
  if (served !== undefined) return served;
  const { group, version, kind } = wanted;
  const key = packages.get(`${group}/${version}/${kind}`) ?? packages.get(kind);
  return key === undefined ? undefined : table.schemaByName(table.nameOf(key, kind));
}
