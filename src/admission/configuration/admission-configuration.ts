import { dirname, resolve } from 'node:path';
import { ConfigError } from '../../api/errors/config-error.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import type { JsonValue } from '../../api/json/json.ts';
import { encodeAny } from '../../api/json/json-text.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import { ConfigurationDocumentError, readConfigurationDocument } from '../../codec/configuration-document.ts';
import { field, list, struct, text } from '../../schema/plain-schema.ts';
import type { Schema } from '../../schema/schema.ts';
import { type PluginConfiguration, PluginConfigurationError, readUnversioned } from './plugin-document.ts';

/** A file of `--admission-control-config-file` that cannot be one; the message is as the reference words it. */
export class AdmissionFileError extends ConfigError {
  override readonly code = 'ADMISSION_FILE';

  constructor(why: string) {
    super(`failed to apply admission: failed to read plugin config: ${why}`);
  }
}

const anything: Schema = { type: 'any', format: 'raw-extension', goType: 'runtime.Unknown' };
const plugin = struct('AdmissionPluginConfiguration', [
  field('name', text),
  field('path', text),
  field('configuration', anything, true),
]);
const form = {
  kind: 'AdmissionConfiguration',
  versions: ['apiserver.config.k8s.io/v1', 'apiserver.k8s.io/v1alpha1'],
  schema: struct('AdmissionConfiguration', [
    field('kind', text),
    field('apiVersion', text),
    field('plugins', list(plugin)),
  ]),
};

interface PluginEntry {
  readonly name?: string;
  readonly path?: string;
  readonly configuration?: JsonValue;
}

/** Configurations of plugins by their names. */
export type PluginConfigurations = (name: string) => Promise<PluginConfiguration>;

/** What the plugins of a file are configured with; without a path nothing. Throws an AdmissionFileError. */
export async function readAdmissionConfiguration(
  path: string | undefined,
  { readFile }: Pick<PartContext, 'readFile'>,
): Promise<PluginConfigurations> {
  const entries = path === undefined ? [] : await readEntries(path, readFile);
  const folder = dirname(path ?? '');
  return async (name) => {
    const { path: own = '', configuration } = entries.find((entry) => entry.name === name) ?? {};
    if (configuration !== undefined) return { name, text: encodeAny(configuration) };
    if (own === '') return { name, text: undefined };
    const file = resolve(folder, own);
    try {
      return { name, text: await readFile(file) };
    } catch {
      throw new PluginConfigurationError(name, `open ${file}: no such file or directory`);
    }
  };
}

async function readEntries(path: string, readFile: PartContext['readFile']): Promise<readonly PluginEntry[]> {
  let content: string;
  try {
    content = await readFile(path);
  } catch {
    const why = `open ${path}: no such file or directory`;
    throw new AdmissionFileError(`unable to read admission control configuration from ${goQuote(path)} [${why}]`);
  }
  try {
    const { object } = readConfigurationDocument(content, form);
    return (object as { readonly plugins?: readonly PluginEntry[] }).plugins ?? []; // read by its schema
  } catch (error) {
    if (!(error instanceof ConfigurationDocumentError)) throw error;
    const legacy = error.isForeign ? legacyEntries(content, path) : [];
    if (legacy.length === 0) throw new AdmissionFileError(error.message);
    return legacy;
  }
}

/** Before there were kinds of configuration the file was that of one of these plugins. */
function legacyEntries(content: string, path: string): readonly PluginEntry[] {
  const document = readUnversioned({ name: '', text: content });
  if (document['imagePolicy'] === undefined && document['podNodeSelectorPluginConfig'] === undefined) return [];
  return ['ImagePolicyWebhook', 'PodNodeSelector'].map((name) => ({ name, path }));
}
