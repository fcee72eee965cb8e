import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import type { JsonSource } from '../api/json/json-tree.ts';
import { isSharable, isUnusual, keepFieldsText, sharedFieldsOf } from '../api/json/shared-fields.ts';
import { parseOwnJson } from './json.ts';
import { parseJsonTree } from './json-tree-parser.ts';
import { skipValue } from './stored-object.ts';

const fieldsKey = Buffer.from('"fieldsV1":{');

/** Parses a stored object. Field sets in managedFields are shared objects: see `shared-fields.ts`. */
export function parseStored(bytes: Uint8Array): JsonSource {
  const stored = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = stored.indexOf(fieldsKey);
  return (first === -1 ? undefined : parseCut(stored, first)) ?? parseOwnJson(bytes);
}

/** Undefined when the object has an unusual form. */
function parseCut(stored: Buffer, first: number): JsonSource | undefined {
  const pieces: Buffer[] = [];
  const shared: JsonObject[] = [];
  let end = 0;
  for (let found = first; found !== -1; found = stored.indexOf(fieldsKey, end)) {
    const start = found + fieldsKey.length - 1;
    // Replaced by the number of the shared object.
    pieces.push(stored.subarray(end, start), Buffer.from(String(shared.length)));
    end = skipValue(stored, start);
    const text = stored.toString('utf8', start, end);
    const fields = isSharable(text) ? sharedFieldsOf(text) : parseLong(text, stored.subarray(start, end));
    if (fields === undefined) return undefined;
    shared.push(fields);
  }
  pieces.push(stored.subarray(end));
  const source = parseOwnJson(Buffer.concat(pieces));
  if (!source.faithful || !putBack(source.value, shared)) return undefined;
  // Readers of the text must see what is stored.
  return { ...source, tree: () => parseJsonTree(stored.toString()) };
}

/** A field set that is not shared; undefined for text that this server would not have written. */
function parseLong(text: string, bytes: Uint8Array): JsonObject | undefined {
  if (isUnusual(text)) return undefined;
  const { value, faithful } = parseOwnJson(bytes);
  if (!faithful || !isJsonObject(value)) return undefined;
  keepFieldsText(value, text);
  return value;
}

/** False when such keys occur outside of managedFields. */
function putBack(object: JsonValue, shared: readonly JsonObject[]): boolean {
  const metadata = isJsonObject(object) ? object['metadata'] : undefined;
  const entries = isJsonObject(metadata) ? metadata['managedFields'] : undefined;
  if (!Array.isArray(entries)) return false;
  let count = 0;
  for (const entry of entries) {
    if (!isJsonObject(entry) || typeof entry['fieldsV1'] !== 'number') continue;
    const fields = shared[count];
    if (entry['fieldsV1'] !== count || fields === undefined) return false;
    entry['fieldsV1'] = fields;
    count += 1;
  }
  return count === shared.length;
}
