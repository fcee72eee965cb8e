import type { JsonObject } from '../api/json.ts';
import type { JsonSource } from '../api/json-tree.ts';
import type { Work } from '../api/turns.ts';
import type { Schema } from '../schema/schema.ts';
import type { Document, KindSchemas } from './document.ts';

/** What one media type means for bodies. The table of all of them is in `serializers.ts`. */
export interface Serializer {
  readonly mediaType: string;
  /** Parses a request body. Throws BodySyntaxError and BodyLimitError. */
  decode(bytes: Uint8Array): Work<DecodedBody>;
  /** The body of an answer. Throws a StatusError for what the format cannot say. */
  write(document: Document, options: FormatOptions): Work<Uint8Array>;
}

export interface FormatOptions {
  readonly pretty?: boolean;
  /** For formats that are written by a schema: the document tells its kind. */
  readonly schemaOf: KindSchemas;
}

export interface DecodedBody {
  readonly source: JsonSource;
  /** Strict errors of the format itself, before those of the schema: duplicate keys of YAML. */
  readonly strictErrors: readonly string[];
  /** The whole document, of formats that need to know the kind to read it; `source` then tells the kind alone. Throws BodySyntaxError. */
  typed?(schema: Schema): Work<JsonSource>;
  /** The same, of formats that are read straight into objects as they are in memory; without kind and apiVersion. */
  objectOf?(schema: Schema): Work<JsonObject>;
  /** The body as errors show it, of formats that are no text. */
  shown?(): string;
}

/** A body that its format does not allow; the message is complete but for what the server puts before it. */
export class BodySyntaxError extends Error {
  override readonly name = 'BodySyntaxError';
  readonly code = 'BODY_SYNTAX';
}
