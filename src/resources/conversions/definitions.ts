import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { renameFields } from './rename.ts';

/** What a version of a definition says itself, and where v1beta1 says it of all of them. */
const sharedFields: readonly (readonly [ofVersion: string, ofAll: string])[] = [
  ['schema', 'validation'],
  ['subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns'],
  ['selectableFields', 'selectableFields'],
];

/** A definition as the reference stores it. */
export function definitionToBeta1(definition: JsonObject): JsonObject {
  const { spec } = definition;
  if (!isJsonObject(spec)) return definition;
  const { conversion } = spec;
  const converting = isJsonObject(conversion) ? { conversion: conversionToBeta1(conversion) } : {};
  return { ...definition, spec: { ...spec, ...converting, ...versionsToBeta1(spec) } };
}

function versionsToBeta1(spec: JsonObject): JsonObject {
  const given = Array.isArray(spec['versions']) ? spec['versions'].filter(isJsonObject) : [];
  const [first] = given;
  if (first === undefined) return {};
  const ofAll: JsonObject = { version: first['name'] ?? '' };
  let versions = given.map(columnsToBeta1);
  for (const [field, above] of sharedFields) {
    const value = versions[0]?.[field];
    if (!versions.every((each) => isDeepStrictEqual(each[field], value))) continue;
    versions = versions.map(({ [field]: _said, ...others }) => others);
    if (value !== undefined) ofAll[above] = value;
  }
  return { ...ofAll, versions };
}

function columnsToBeta1(version: JsonObject): JsonObject {
  const { additionalPrinterColumns: columns } = version;
  if (!Array.isArray(columns)) return version;
  const renamed = columns.map((column: JsonValue) =>
    isJsonObject(column) ? renameFields(column, [['jsonPath', 'JSONPath']]) : column,
  );
  return { ...version, additionalPrinterColumns: renamed };
}

function conversionToBeta1({ webhook, ...others }: JsonObject): JsonObject {
  if (!isJsonObject(webhook)) return others;
  return { ...others, ...renameFields(webhook, [['clientConfig', 'webhookClientConfig']]) };
}
