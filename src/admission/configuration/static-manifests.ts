import { stat } from 'node:fs/promises';
import { extname, isAbsolute } from 'node:path';
import { fieldErrorText, invalidField } from '../../api/errors/field-error.ts';
import { goPrint } from '../../api/json/go-print.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { isJsonObject, type JsonObject } from '../../api/json/json.ts';
import { plainOf } from '../../api/json/json-tree.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { TextFile } from '../../api/contracts/part.ts';
import { StatusError } from '../../api/errors/status.ts';
import { YamlError } from '../../codec/yaml/error.ts';
import { parseYaml } from '../../codec/yaml/read.ts';
import type { PluginContext } from '../plugin-context.ts';
import { contentHash, ManifestMetrics } from './manifest-metrics.ts';
import { PluginConfigurationError } from './plugin-document.ts';

/** The names of what files configure end with it, and no other names do. */
const staticSuffix = '.static.k8s.io';

/** Files that cannot be used; the message says why. */
class ManifestError extends Error {
  override readonly name = 'ManifestError';
  readonly code = 'ADMISSION_MANIFEST';
}

type ManifestContext = Pick<
  PluginContext,
  'featureGates' | 'readFolder' | 'manifestObject' | 'metric' | 'clock' | 'serverId'
>;

export interface ManifestOptions {
  /** The name of the plugin. */
  readonly plugin: string;
  /** A directory: see `checkManifestFolder`. */
  readonly folder: string;
  /** What the files configure, in messages. */
  readonly subject: 'policy' | 'webhook';
  /** What the files may have. */
  readonly kinds: readonly string[];
  /** Throws an Error for an object that a file must not have. */
  readonly checkObject?: (object: KubernetesObject, path: string) => void;
  /** Throws an Error for objects that do not fit together. */
  readonly check?: (objects: readonly KubernetesObject[]) => void;
}

/**
 * Reads the objects in a folder and calls `use` with them, then whenever they change; what cannot be read later leaves
 * the previous ones in use. Throws a PluginConfigurationError.
 */
export async function followManifests(
  context: ManifestContext,
  options: ManifestOptions,
  use: (objects: readonly KubernetesObject[]) => void,
): Promise<void> {
  const { plugin, folder, subject } = options;
  const metrics = new ManifestMetrics(context, plugin, context.serverId);
  let known: string | undefined;
  const load = async (files: readonly TextFile[]): Promise<void> => {
    const hash = contentHash(files);
    if (hash === known) return;
    use(await objectsOf(context, files, options));
    known = hash;
    metrics.succeeded(hash);
  };
  const reload = async (files: readonly TextFile[]): Promise<void> => {
    try {
      await load(files);
    } catch (error) {
      metrics.failed();
      throw error;
    }
  };
  try {
    await load(await context.readFolder(folder, isManifest, reload));
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    const why = `failed to load static ${subject} manifests from ${goQuote(folder)}: ${error.message}`;
    throw new PluginConfigurationError(plugin, why, true);
  }
}

function isManifest(name: string): boolean {
  return ['.yaml', '.yml', '.json'].includes(extname(name).toLowerCase());
}

/** The gate of `staticManifestsDir`. */
export const manifestsGate = 'ManifestBasedAdmissionControlConfig';

/** Throws a PluginConfigurationError unless manifests can be read from the folder. */
export async function checkManifestFolder(plugin: string, folder: string): Promise<void> {
  const problem = isAbsolute(folder) ? await folderProblem(folder) : 'must be an absolute file path';
  if (problem === undefined) return;
  throw new PluginConfigurationError(plugin, fieldErrorText(invalidField('staticManifestsDir', folder, problem)));
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
  { kinds, checkObject, check }: ManifestOptions,
): Promise<readonly KubernetesObject[]> {
  const objects: KubernetesObject[] = [];
  const seen = new Map<string, string>();
  for (const { path, text: content } of files) {
    for (const document of documentsOf(path, content)) {
      // oxlint-disable-next-line no-await-in-loop -- the first mistake is reported
      const object = await objectOf(context, { path, document, kinds });
      const { name = '' } = object.metadata;
      checkName(name, path, seen.get(`${object.kind}/${name}`));
      seen.set(`${object.kind}/${name}`, path);
      asManifestError(() => checkObject?.(object, path), `error loading ${path}: `);
      objects.push(object);
    }
  }
  asManifestError(() => check?.(objects));
  return objects;
}

function asManifestError(check: () => void, prefix = ''): void {
  try {
    check();
  } catch (error) {
    throw new ManifestError(`${prefix}${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** The YAML documents of a file, with the items of lists. */
function documentsOf(path: string, content: string): readonly JsonObject[] {
  return partsOf(content).flatMap((part) => {
    try {
      const value = plainOf(parseYaml(Buffer.from(part)).tree);
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
