import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { plainOf } from '../api/json/json-tree.ts';
import { parseYaml } from '../codec/yaml/read.ts';

/** An object to be applied, and where it comes from, for errors. */
export interface Manifest {
  readonly object: JsonObject;
  readonly apiVersion: string;
  readonly kind: string;
  /** `config/crd/bases/wheels.yaml`, `text 2`, `value 1` */
  readonly origin: string;
}

/** A file or folder, YAML or JSON text of one or more documents (it contains a line break or a brace), or an object. */
export type ManifestSource = string | Readonly<Record<string, unknown>>;

const extensions = ['.yaml', '.yml', '.json'];

/** The objects of sources, in order; those in lists one by one. Throws an Error that names the source. */
export async function readManifests(sources: readonly ManifestSource[]): Promise<readonly Manifest[]> {
  const read = sources.map((source, index) => manifestsOf(source, index + 1));
  return (await Promise.all(read)).flat();
}

async function manifestsOf(source: ManifestSource, number: number): Promise<readonly Manifest[]> {
  if (typeof source !== 'string') {
    // As JSON would show it: without functions, and with dates as text.
    return manifestsIn(JSON.parse(JSON.stringify(source)) as JsonValue, `value ${number}`);
  }
  if (/[\n{]/.test(source)) return manifestsInText(source, `text ${number}`);
  const files = (await stat(source)).isDirectory() ? await filesBelow(source) : [source];
  const texts = files.map(async (file) => manifestsInText(await readFile(file, 'utf8'), file));
  return (await Promise.all(texts)).flat();
}

/** In the order of their names, like `kubectl apply --recursive`. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && extensions.some((extension) => entry.name.endsWith(extension)))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

function manifestsInText(text: string, origin: string): readonly Manifest[] {
  return documentsOf(text).flatMap((document) => {
    try {
      return manifestsIn(plainOf(parseYaml(Buffer.from(document)).tree), origin);
    } catch (error) {
      if (error instanceof ManifestError) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new ManifestError(`${origin}: ${why}`, { cause: error });
    }
  });
}

/** The documents of a YAML stream, each with the line that begins it. */
function documentsOf(text: string): readonly string[] {
  const documents: string[][] = [[]];
  for (const line of text.split('\n')) {
    if (line.startsWith('---') && line.slice(3, 4).trim() === '') documents.push([]);
    documents.at(-1)?.push(line);
  }
  return documents.map((lines) => lines.join('\n'));
}

/** Empty documents, and those of kustomize, are no objects. */
function manifestsIn(value: JsonValue, origin: string): readonly Manifest[] {
  if (value === null) return [];
  if (!isJsonObject(value)) throw new ManifestError(`${origin}: a document is not an object`);
  const { apiVersion, kind, items } = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    throw new ManifestError(`${origin}: an object has no apiVersion or no kind`);
  }
  if (apiVersion.startsWith('kustomize.config.k8s.io/')) return [];
  if (kind.endsWith('List') && Array.isArray(items)) return items.flatMap((item) => manifestsIn(item, origin));
  return [{ object: value, apiVersion, kind, origin }];
}

/** A manifest that cannot be read, or that the server has refused. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
  readonly code = 'MANIFEST';
}
