import { stat } from 'node:fs/promises';
import { extname, isAbsolute } from 'node:path';
import { fieldErrorText, forbiddenField, invalidField } from '../../api/field-error.ts';
import { goPrint } from '../../api/go-print.ts';
import { goQuote } from '../../api/go-quote.ts';
import { isJsonObject, type JsonObject } from '../../api/json.ts';
import { readPlain } from '../../api/json-tree.ts';
import type { KubernetesObject } from '../../api/object.ts';
import type { TextFile } from '../../api/part.ts';
import { StatusError } from '../../api/status.ts';
import { finish } from '../../api/turns.ts';
import { YamlError } from '../../codec/yaml/error.ts';
import { parseYaml } from '../../codec/yaml/read.ts';
import { field, struct, text } from '../../schema/plain-schema.ts';
import type { PluginContext } from '../plugin-context.ts';
import { contentHash, ManifestMeasures } from './manifest-measures.ts';
import { type PluginConfiguration, PluginConfigurationError, readPluginDocument } from './plugin-document.ts';

/** The names of what files configure end with it, and no other names do. */
const staticSuffix = '.static.k8s.io';

/** Files that cannot be used; the message tells why. */
class ManifestError extends Error {
  override readonly name = 'ManifestError';
  readonly code = 'ADMISSION_MANIFEST';
}

type ManifestContext = Pick<
  PluginContext,
  'featureGates' | 'readFolder' | 'manifestObject' | 'measure' | 'clock' | 'serverId'
>;

export interface ManifestOptions {
  /** Of the configuration of the plugin. */
  readonly configurationKind: string;
  /** What the files may have. */
  readonly kinds: readonly string[];
  /** Throws an Error for objects that do not fit together. */
  readonly check: (objects: readonly KubernetesObject[]) => void;
}

/**
 * Reads the objects in the folder that a plugin is configured with, and calls `use` with them, then whenever they
 * change; what cannot be read later leaves the previous ones in use. Returns false if there is no folder. Throws a
 * PluginConfigurationError.
 */
export async function followManifests(
  context: ManifestContext,
  configuration: PluginConfiguration,
  options: ManifestOptions,
  use: (objects: readonly KubernetesObject[]) => void,
): Promise<boolean> {
  const folder = await folderOf(context, configuration, options.configurationKind);
  if (folder === '') return false;
  const measures = new ManifestMeasures(context, configuration.name, context.serverId);
  let known: string | undefined;
  const load = async (files: readonly TextFile[]): Promise<void> => {
    const hash = contentHash(files);
    if (hash === known) return;
    use(await objectsOf(context, files, options));
    known = hash;
    measures.succeeded(hash);
  };
  const reload = async (files: readonly TextFile[]): Promise<void> => {
    try {
      await load(files);
    } catch (error) {
      measures.failed();
      throw error;
    }
  };
  try {
    await load(await context.readFolder(folder, isManifest, reload));
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    const why = `failed to load static policy manifests from ${goQuote(folder)}: ${error.message}`;
    throw new PluginConfigurationError(configuration.name, why, true);
  }
  return true;
}

function isManifest(name: string): boolean {
  return ['.yaml', '.yml', '.json'].includes(extname(name).toLowerCase());
}

async function folderOf(
  { featureGates }: Pick<PluginContext, 'featureGates'>,
  configuration: PluginConfiguration,
  kind: string,
): Promise<string> {
  const schema = struct(kind, [field('kind', text), field('apiVersion', text), field('staticManifestsDir', text)]);
  const document = await readPluginDocument(configuration, { kind, versions: ['apiserver.config.k8s.io/v1'], schema });
  const { staticManifestsDir: folder = '' } = (document ?? {}) as { readonly staticManifestsDir?: string }; // by its schema
  if (folder === '') return '';
  const gate = 'ManifestBasedAdmissionControlConfig';
  if (featureGates.get(gate) !== true) {
    const why = `staticManifestsDir requires the ${gate} feature gate to be enabled`;
    throw new PluginConfigurationError(configuration.name, fieldErrorText(forbiddenField('staticManifestsDir', why)));
  }
  const problem = isAbsolute(folder) ? await folderProblem(folder) : 'must be an absolute file path';
  if (problem === undefined) return folder;
  const error = invalidField('staticManifestsDir', folder, problem);
  throw new PluginConfigurationError(configuration.name, fieldErrorText(error));
}

async function folderProblem(folder: string): Promise<string | undefined> {
  try {
    return (await stat(folder)).isDirectory() ? undefined : 'must be a directory';
  } catch {
    return `unable to read: stat ${folder}: no such file or directory`;
  }
}

async function objectsOf(
  context: Pick<PluginContext, 'manifestObject'>,
  files: readonly TextFile[],
  { kinds, check }: ManifestOptions,
): Promise<readonly KubernetesObject[]> {
  const objects: KubernetesObject[] = [];
  const seen = new Map<string, string>();
  for (const { path, text: content } of files) {
    for (const document of documentsOf(path, content)) {
      // oxlint-disable-next-line no-await-in-loop -- the first mistake is told
      const object = await objectOf(context, { path, document, kinds });
      const { name = '' } = object.metadata;
      checkName(name, path, seen.get(`${object.kind}/${name}`));
      seen.set(`${object.kind}/${name}`, path);
      objects.push(object);
    }
  }
  try {
    check(objects);
  } catch (error) {
    throw new ManifestError(error instanceof Error ? error.message : String(error), { cause: error });
  }
  return objects;
}

/** The YAML documents of a file, with the items of lists. */
function documentsOf(path: string, content: string): readonly JsonObject[] {
  return partsOf(content).flatMap((part) => {
    try {
      const value = finish(readPlain(parseYaml(Buffer.from(part)).tree));
      if (!isJsonObject(value)) throw new ManifestError(`error loading ${path}: no object`);
      if (value['kind'] !== 'List' || value['apiVersion'] !== 'v1') return [value];
      const { items } = value;
      return Array.isArray(items) ? items.filter(isJsonObject) : [];
    } catch (error) {
      throw error instanceof YamlError ? new ManifestError(`error loading ${path}: ${error.message}`) : error;
    }
  });
}

/** What stands between lines that begin with dashes, if anything does. */
function partsOf(content: string): readonly string[] {
  const parts: string[][] = [[]];
  for (const line of content.split('\n')) {
    if (line.startsWith('---')) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts.map((lines) => lines.join('\n')).filter((part) => part.trim() !== '');
}

async function objectOf(
  { manifestObject }: Pick<PluginContext, 'manifestObject'>,
  {
    path,
    document,
    kinds,
  }: { readonly path: string; readonly document: JsonObject; readonly kinds: readonly string[] },
): Promise<KubernetesObject> {
  const { kind } = document;
  const refuse = (why: string): ManifestError => new ManifestError(`error loading ${path}: ${why}`);
  if (typeof kind !== 'string' || !kinds.includes(kind))
    throw refuse(`unsupported resource type ${goPrint(kind ?? null)}`);
  try {
    return await manifestObject(document);
  } catch (error) {
    if (error instanceof StatusError) throw refuse(error.message);
    throw error;
  }
}

function checkName(name: string, path: string, other: string | undefined): void {
  const file = goQuote(path);
  if (name === '') throw new ManifestError(`error loading ${path}: resource in file ${file} must have a name`);
  if (!name.endsWith(staticSuffix)) {
    const why = `${goQuote(name)} in file ${file} must have a name ending with ${goQuote(staticSuffix)}`;
    throw new ManifestError(`error loading ${path}: ${why}`);
  }
  if (other === undefined) return;
  const where = `found in file ${file} (previously seen in ${goQuote(other)})`;
  throw new ManifestError(`error loading ${path}: duplicate name ${goQuote(name)} ${where}`);
}

export function isStaticName(name: string): boolean {
  return name.endsWith(staticSuffix);
}
