import type { Work } from '../api/turns.ts';
import { type Document, writeJsonOf } from './document.ts';
import { readDeepJson } from './json.ts';
import { JsonSyntaxError } from './json-syntax.ts';
import { indentJson } from './json-indent.ts';
import { BodySyntaxError, type DecodedBody, type Serializer, type FormatOptions } from './serializer.ts';

/** To copy them takes a while. */
const longBytes = 1024 * 1024;
const newline = Buffer.from('\n');

export const jsonSerializer: Serializer = { mediaType: 'application/json', decode, write };

function* decode(bytes: Uint8Array): Work<DecodedBody> {
  try {
    return { source: yield* readDeepJson(bytes), strictErrors: [] };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new BodySyntaxError(`couldn't get version/kind; json parse error: ${error.message}`);
  }
}

/** Compact JSON ends with a newline, indented JSON does not. */
function* write(document: Document, { pretty = false }: FormatOptions): Work<Uint8Array> {
  const json = yield* writeJsonOf(document);
  if (pretty) return yield* indentJson(json);
  if (json.length > longBytes) yield;
  return Buffer.concat([json, newline]);
}
