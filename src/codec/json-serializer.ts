import { type Document, jsonOf } from './document.ts';
import { parseDeepJson } from './json.ts';
import { JsonSyntaxError } from './json-syntax.ts';
import { indentJson } from './json-indent.ts';
import { BodySyntaxError, type DecodedBody, type FormatOptions, type Serializer } from './serializer.ts';

const newline = Buffer.from('\n');

export const jsonSerializer: Serializer = { mediaType: 'application/json', decode, write };

function decode(bytes: Uint8Array): DecodedBody {
  try {
    return { source: parseDeepJson(bytes), strictErrors: [] };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new BodySyntaxError(`couldn't get version/kind; json parse error: ${error.message}`);
  }
}

/** Compact JSON ends with a newline, indented JSON does not. */
function write(document: Document, { pretty = false }: FormatOptions): Uint8Array {
  const json = jsonOf(document);
  return pretty ? indentJson(json) : Buffer.concat([json, newline]);
}
