import { ConfigError } from '../api/config-error.ts';
import { goPrint } from '../api/go-print.ts';
import { goQuote } from '../api/go-quote.ts';
import type { JsonObject, JsonValue } from '../api/json.ts';
import { isJsonObject } from '../api/json.ts';
import { finish } from '../api/turns.ts';
import { DecodeError } from '../schema/decode-errors.ts';
import { decodeObject } from '../schema/decode.ts';
import type { Schema } from '../schema/schema.ts';
import { BodySyntaxError } from './serializer.ts';
import { yamlSerializer } from './yaml-serializer.ts';

/** An invalid configuration file. */
export class ConfigFileError extends ConfigError {
  override readonly name = 'ConfigFileError';
  override readonly code = 'CONFIG_FILE';
}

export interface ConfigKind {
  readonly kind: string;
  readonly group: string;
  readonly versions: readonly string[];
  readonly schema: Schema;
}

/**
 * Reads a YAML or JSON file with one configuration object, rejecting unknown and duplicate fields. Throws a
 * ConfigFileError.
 */
export function readConfigObject(text: string, known: ConfigKind): JsonObject {
  if (text === '') throw new ConfigFileError('empty config data');
  try {
    const { source, strictErrors } = finish(yamlSerializer.decode(Buffer.from(text)));
    checkKind(source.value, known, text);
    const decoded = decodeObject(known.schema, source);
    const errors = [...strictErrors, ...decoded.strictErrors];
    if (errors.length === 0) return decoded.object;
    throw new ConfigFileError(`strict decoding error: ${errors.join(', ')}`);
  } catch (error) {
    if (!(error instanceof BodySyntaxError || error instanceof DecodeError)) throw error;
    throw new ConfigFileError(error.message, { cause: error });
  }
}

function checkKind(value: JsonValue, known: ConfigKind, text: string): void {
  const { kind = '', apiVersion = '' } = isJsonObject(value) ? value : {};
  if (kind === '') throw new ConfigFileError(`Object 'Kind' is missing in '${text}'`);
  if (apiVersion === '') throw new ConfigFileError(`Object 'apiVersion' is missing in '${text}'`);
  const isKnown = kind === known.kind && known.versions.some((version) => apiVersion === `${known.group}/${version}`);
  if (isKnown) return;
  throw new ConfigFileError(
    `no kind ${goQuote(goPrint(kind))} is registered for version ${goQuote(goPrint(apiVersion))} in scheme "pkg/runtime/scheme.go:111"`,
  );
}
