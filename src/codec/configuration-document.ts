import { goQuote } from '../api/go-quote.ts';
import { isJsonObject, type JsonObject } from '../api/json.ts';
import { inTurns } from '../api/turns.ts';
import { DecodeError } from '../schema/decode-errors.ts';
import { readTyped } from '../schema/decode.ts';
import type { Schema } from '../schema/schema.ts';
import { jsonSerializer } from './json-serializer.ts';
import { BodySyntaxError, type Serializer } from './serializer.ts';
import { yamlSerializer } from './yaml-serializer.ts';

/** A configuration that cannot be read; the message is as the reference words it. */
export class ConfigurationDocumentError extends Error {
  override readonly name = 'ConfigurationDocumentError';
  readonly code = 'CONFIGURATION_DOCUMENT';
  /** The document does not say what it is, or is something else. */
  readonly isForeign: boolean;

  constructor(message: string, { isForeign = false }: { readonly isForeign?: boolean } = {}) {
    super(message);
    this.isForeign = isForeign;
  }
}

/** What a configuration must be. */
export interface ConfigurationForm {
  readonly kind: string;
  /** As `apiVersion` names them. */
  readonly versions: readonly string[];
  readonly schema: Schema;
  /** Fields that nobody knows do not matter. */
  readonly isLenient?: boolean;
}

export interface ConfigurationDocument {
  readonly apiVersion: string;
  readonly object: JsonObject;
}

/** What the reference calls what it knows. */
const scheme = 'pkg/runtime/scheme.go:111';

/** Reads a configuration, in JSON or YAML. Throws a ConfigurationDocumentError. */
export async function readConfigurationDocument(
  text: string,
  { kind, versions, schema, isLenient = false }: ConfigurationForm,
): Promise<ConfigurationDocument> {
  try {
    const { source, strictErrors: duplicates } = await inTurns(serializerOf(text).decode(Buffer.from(text)));
    const document = isJsonObject(source.value) ? source.value : {};
    const [named, apiVersion] = [textOf(document, 'kind'), textOf(document, 'apiVersion')];
    const foreign = (why: string) => new ConfigurationDocumentError(why, { isForeign: true });
    if (named === '') throw foreign(`Object 'Kind' is missing in '${text.trim()}'`);
    if (apiVersion === '') throw foreign(`Object 'apiVersion' is missing in '${text.trim()}'`);
    if (named !== kind || !versions.includes(apiVersion))
      throw foreign(
        `no kind ${goQuote(named)} is registered for version ${goQuote(apiVersion)} in scheme ${goQuote(scheme)}`,
      );
    const { object, strictErrors } = await inTurns(readTyped(schema, source));
    const strict = [...duplicates, ...strictErrors];
    if (strict.length > 0 && !isLenient) {
      throw new ConfigurationDocumentError(`strict decoding error: ${strict.join(', ')}`);
    }
    return { apiVersion, object };
  } catch (error) {
    const isOurs = error instanceof BodySyntaxError || error instanceof DecodeError;
    throw isOurs ? new ConfigurationDocumentError(error.message) : error;
  }
}

function serializerOf(text: string): Serializer {
  return text.trimStart().startsWith('{') ? jsonSerializer : yamlSerializer;
}

function textOf(document: JsonObject, field: string): string {
  const value = document[field];
  return typeof value === 'string' ? value : '';
}
