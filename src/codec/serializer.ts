import type { JsonObject } from '../api/json/json.ts';
import type { JsonSource } from '../api/json/json-tree.ts';
import type { Schema } from '../schema/schema.ts';
import type { Document, KindSchemas } from './document.ts';

/** The codec of one media type. `serializers.ts` lists them all. */
export interface Serializer {
  readonly mediaType: string;
  /** Parses a request body. Throws BodySyntaxError and BodyLimitError. */
  decode(bytes: Uint8Array): DecodedBody;
  /** The body of an answer. Throws a StatusError for what the format cannot represent. */
  write(document: Document, options: FormatOptions): Uint8Array;
  /**
   * Writes a document piece by piece, for formats in which a small document may become a very large one. All errors are
   * thrown before the first piece.
   */
  readonly writePieces?: (document: Document) => Iterable<Uint8Array>;
}

export interface FormatOptions {
  readonly pretty?: boolean;
  /** For formats encoded by schema: the document names its kind. */
  readonly schemaOf: KindSchemas;
}

export interface DecodedBody {
  readonly source: JsonSource;
  /** Strict errors of the format itself, reported before those of the schema: duplicate YAML keys. */
  readonly strictErrors: readonly string[];
  /**
   * Decodes the whole document, for formats that need the kind to do so; `source` then reads the kind only. Throws
   * BodySyntaxError.
   */
  typed?(schema: Schema): JsonSource;
  /** Decodes the document straight to an object in memory, without kind and apiVersion. Throws BodySyntaxError. */
  objectOf?(schema: Schema): JsonObject;
  /** The body as errors show it, for binary formats. */
  shown?(): string;
}

/** An invalid body; the server adds a prefix to the message. */
export class BodySyntaxError extends Error {
  override readonly name = 'BodySyntaxError';
  readonly code = 'BODY_SYNTAX';
}
