import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../api/json/json.ts';
import { changed, eachOf, inSpec, present, renamed } from '../../parts/conversions/changed.ts';

export const definitionFromBeta1 = inSpec(definitionSpec);

/** v1beta1 had top-level fields for what all versions share. */
function definitionSpec(spec: JsonObject): JsonObject {
  const { version, validation, subresources, additionalPrinterColumns, selectableFields, ...others } = spec;
  const given = Array.isArray(others['versions']) ? others['versions'] : [];
  const versions: JsonValue[] =
    given.length === 0 && version !== undefined ? [{ name: version, served: true, storage: true }] : given;
  const ofAll = present({ schema: validation, subresources, additionalPrinterColumns, selectableFields });
  const withAll = { ...others, versions: versions.map((each) => (isJsonObject(each) ? { ...each, ...ofAll } : each)) };
  const named = eachOf(withAll, 'versions', (each) =>
    eachOf(each, 'additionalPrinterColumns', (column) => renamed(column, 'JSONPath', 'jsonPath')),
  );
  const converting = changed(named, 'conversion', definitionConversion);
  return converting['preserveUnknownFields'] === undefined
    ? { ...converting, preserveUnknownFields: true }
    : converting;
}

function definitionConversion(conversion: JsonObject): JsonObject {
  const { webhookClientConfig: clientConfig, conversionReviewVersions, ...others } = conversion;
  if (clientConfig === undefined && conversionReviewVersions === undefined) return others;
  return { ...others, webhook: present({ clientConfig, conversionReviewVersions }) };
}

/** Fields of a version, and the corresponding top-level fields of v1beta1. */
const sharedFields: readonly (readonly [ofVersion: string, ofAll: string])[] = [
  ['schema', 'validation'],
  ['subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns'],
  ['selectableFields', 'selectableFields'],
];

/** The v1beta1 form, in which the reference stores definitions. */
export function definitionToBeta1(definition: JsonObject): JsonObject {
  const { spec } = definition;
  if (!isJsonObject(spec)) return definition;
  const { conversion } = spec;
  const converting = isJsonObject(conversion) ? { conversion: conversionToBeta1(conversion) } : {};
  // The default is true in v1beta1 and false in v1.
  const { preserveUnknownFields = false } = spec;
  return { ...definition, spec: { ...spec, preserveUnknownFields, ...converting, ...versionsToBeta1(spec) } };
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
  const named = columns.map((column: JsonValue) =>
    isJsonObject(column) ? renamed(column, 'jsonPath', 'JSONPath') : column,
  );
  return { ...version, additionalPrinterColumns: named };
}

function conversionToBeta1({ webhook, ...others }: JsonObject): JsonObject {
  if (!isJsonObject(webhook)) return others;
  return { ...others, ...renamed(webhook, 'clientConfig', 'webhookClientConfig') };
}
