import { formatApiVersion, type GroupVersionKind } from '../api/meta/group-version.ts';
import type { JsonObject } from '../api/json/json.ts';
import { DecodeError } from '../schema/decode-errors.ts';
import { decodeObject } from '../schema/decode.ts';
import type { Schema } from '../schema/schema.ts';
import { BodyLimitError } from './body-limits.ts';
import { claimedKind, notRegistered, withDefaults } from './claimed-kind.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { jsonSerializer } from './json-serializer.ts';
import { BodySyntaxError } from './serializer.ts';
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

/** What is expected of a document. */
export interface DocumentForm {
  readonly kind: string;
  /** As `apiVersion` names them. */
  readonly versions: readonly string[];
  readonly schema: Schema;
  /** The kind of documents without one; absent: a kind is required. */
  readonly assumed?: GroupVersionKind;
  /** The error for a document of another kind; absent: the kind is unknown. */
  readonly foreignError?: (claimed: GroupVersionKind) => string | undefined;
}

export interface ConfigurationForm extends DocumentForm {
  /** Fields that nobody knows do not matter. */
  readonly isLenient?: boolean;
}

export interface NamedDocument {
  readonly apiVersion: string;
  readonly object: JsonObject;
}

/** A document without a kind, or of another kind. */
export class ForeignDocumentError extends Error {
  override readonly name = 'ForeignDocumentError';
  readonly code = 'FOREIGN_DOCUMENT';
}

/** Whether it reports an unreadable document. */
export function isDocumentError(error: unknown): error is Error {
  return documentErrors.some((each) => error instanceof each);
}

const documentErrors = [BodyLimitError, BodySyntaxError, DecodeError, ForeignDocumentError];

/** Reads an object, in JSON or YAML, that must be of one kind. Its errors are document errors. */
export function readDocument(
  bytes: Uint8Array,
  { kind, versions, schema, assumed, foreignError }: DocumentForm,
): NamedDocument & { readonly strictErrors: readonly string[] } {
  const serializer = startsAsJson(bytes) ? jsonSerializer : yamlSerializer;
  const { source, strictErrors: duplicates } = serializer.decode(bytes);
  const named = claimedKind(source);
  const claimed = assumed === undefined ? named : withDefaults(named, assumed);
  const missing = (what: string) => new ForeignDocumentError(`Object '${what}' is missing in '${decodeUtf8(bytes)}'`);
  if (claimed.kind === '') throw missing('Kind');
  if (claimed.version === '') throw missing('apiVersion');
  const apiVersion = formatApiVersion(claimed.group, claimed.version);
  if (claimed.kind !== kind || !versions.includes(apiVersion)) {
    throw new ForeignDocumentError(foreignError?.(claimed) ?? notRegistered(claimed));
  }
  const { object, strictErrors } = decodeObject(schema, source);
  return { apiVersion, object, strictErrors: [...duplicates, ...strictErrors] };
}

/** The first non-whitespace character. */
function startsAsJson(bytes: Uint8Array): boolean {
  return bytes.find((byte) => byte > 0x20) === 0x7b;
}

/** Reads a configuration. Throws a ConfigurationDocumentError. */
export function readConfigurationDocument(text: string, form: ConfigurationForm): NamedDocument {
  try {
    const { strictErrors: strict, ...document } = readDocument(Buffer.from(text), form);
    if (strict.length === 0 || form.isLenient === true) return document;
    throw new ConfigurationDocumentError(`strict decoding error: ${strict.join(', ')}`);
  } catch (error) {
    if (!isDocumentError(error)) throw error;
    throw new ConfigurationDocumentError(error.message, { isForeign: error instanceof ForeignDocumentError });
  }
}
