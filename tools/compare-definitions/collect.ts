import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';

/** A definition found in a package. */
export interface FoundDefinition {
  readonly name: string;
  readonly definition: JsonObject;
}

/** The definitions in the files below folders, without duplicates; different ones of the same name are kept. */
export function definitionsIn(folders: readonly string[]): readonly FoundDefinition[] {
  const found = new Map<string, FoundDefinition>();
  for (const path of folders.flatMap(documentsBelow)) {
    for (const definition of definitionsOf(readFileSync(path, 'utf8'))) {
      const { metadata } = definition;
      const name = isJsonObject(metadata) ? metadata['name'] : undefined;
      if (typeof name !== 'string') continue;
      // Drops what a cluster adds, and the package's own metadata.
      const bare: JsonObject = { ...definition, metadata: { name, ...approval(metadata) } };
      delete bare['status'];
      found.set(JSON.stringify(bare), { name, definition: bare });
    }
  }
  return [...found.values()];
}

function approval(metadata: JsonValue | undefined): JsonObject {
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined;
  const key = 'api-approved.kubernetes.io';
  const value = isJsonObject(annotations) ? annotations[key] : undefined;
  return value === undefined ? {} : { annotations: { [key]: value } };
}

function documentsBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ya?ml|json)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
}

function definitionsOf(text: string): readonly JsonObject[] {
  if (!/CustomResourceDefinition/.test(text)) return [];
  return text.split(/^---.*$/m).flatMap((document) => {
    if (!/kind"?: "?CustomResourceDefinition\b/.test(document)) return [];
    const value = readDocument(document);
    if (!isJsonObject(value)) return [];
    const parts = value['kind'] === 'List' && Array.isArray(value['items']) ? value['items'] : [value];
    return parts.filter(isJsonObject).filter(isDefinition);
  });
}

function isDefinition({ apiVersion, kind, spec }: JsonObject): boolean {
  return apiVersion === 'apiextensions.k8s.io/v1' && kind === 'CustomResourceDefinition' && isJsonObject(spec);
}

/** Undefined for files that are not YAML on their own, such as templates. */
function readDocument(text: string): JsonValue | undefined {
  try {
    // Dates are parsed as such, and become strings.
    return JSON.parse(JSON.stringify(loadAll(text)[0] ?? null)) as JsonValue;
  } catch {
    return undefined;
  }
}
