import { formatApiVersion, type GroupVersionKind } from '../../src/api/meta/group-version.ts';
import type { JsonObject } from '../../src/api/json/json.ts';
import { isJsonObject } from '../../src/api/json/json.ts';
import { definitionKind, definitionNames, schemaByName } from '../../src/schema/kubernetes/definitions.ts';
import type { Schema } from '../../src/schema/schema.ts';
import { generate, type Palette } from './generate.ts';
import type { Random } from './random.ts';

export interface KindWithSchema {
  readonly kind: GroupVersionKind;
  readonly schema: Schema;
}

/** All kinds in the definition table, including lists, statuses and options; watch events have no kind field. */
export const builtInKinds: readonly KindWithSchema[] = definitionNames().flatMap((name) => {
  const kind = definitionKind(name);
  const schema = schemaByName(name);
  return kind === undefined || schema?.structure?.fields.has('kind') !== true ? [] : [{ kind, schema }];
});

/** An object of a kind with apiVersion and kind. */
export function randomObject({ kind, schema }: KindWithSchema, random: Random, palette: Palette): JsonObject {
  const value = generate(schema, random, palette);
  if (!isJsonObject(value)) throw new Error(`${kind.kind} is no object`);
  return { ...value, kind: kind.kind, apiVersion: formatApiVersion(kind.group, kind.version) };
}
