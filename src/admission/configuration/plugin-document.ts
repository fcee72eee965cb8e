import { ConfigError } from '../../api/errors/config-error.ts';
import { joinedErrors } from '../../api/text/error-texts.ts';
import { type FieldError, fieldErrorText } from '../../api/errors/field-error.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import { isJsonObject, type JsonObject } from '../../api/json/json.ts';
import { plainOf } from '../../api/json/json-tree.ts';
import {
  ConfigurationDocumentError,
  type ConfigurationForm,
  readConfigurationDocument,
} from '../../codec/configuration-document.ts';
import { YamlError } from '../../codec/yaml/error.ts';
import { parseYaml } from '../../codec/yaml/read.ts';

/** What a plugin is configured with. */
export interface PluginConfiguration {
  /** The plugin's name. */
  readonly name: string;
  /** JSON or YAML; undefined: there is none. */
  readonly text: string | undefined;
}

/** A configuration that a plugin cannot work with; the message is as the reference words it. */
export class PluginConfigurationError extends ConfigError {
  override readonly code = 'PLUGIN_CONFIGURATION';

  /** Plugins that read their configuration late (`isLate`) are reported in other words. */
  constructor(plugin: string, why: string, isLate = false) {
    const what = isLate ? 'failed to initialize admission plugin' : "couldn't init admission plugin";
    super(`failed to apply admission: ${what} ${goQuote(plugin)}: ${why}`);
  }
}

/** Undefined when there is none. Throws a PluginConfigurationError. */
export async function readPluginDocument(
  { name, text }: PluginConfiguration,
  form: ConfigurationForm,
): Promise<JsonObject | undefined> {
  if (text === undefined) return undefined;
  try {
    return readConfigurationDocument(text, form).object;
  } catch (error) {
    throw error instanceof ConfigurationDocumentError ? new PluginConfigurationError(name, error.message) : error;
  }
}

export function refuseFields({ name }: PluginConfiguration, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new PluginConfigurationError(name, joinedErrors(errors.map(fieldErrorText)));
}

/** A configuration of before there were kinds and versions of them. Throws a PluginConfigurationError. */
export function readUnversioned({ name, text = '' }: PluginConfiguration): JsonObject {
  try {
    const value = plainOf(parseYaml(Buffer.from(text)).tree);
    return isJsonObject(value) ? value : {};
  } catch (error) {
    throw error instanceof YamlError ? new PluginConfigurationError(name, error.message) : error;
  }
}
