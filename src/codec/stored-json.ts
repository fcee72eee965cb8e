import { isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import type { JsonSource } from '../api/json-tree.ts';
import { sharedFieldsOf } from '../api/shared-fields.ts';
import { parseJson } from './json.ts';
import { skipValue } from './stored-object.ts';

const fieldsKey = Buffer.from('"fieldsV1":{');

/** Parses a stored object. What its managedFields own are objects that others share: see `shared-fields.ts`. */
export function parseStored(bytes: Uint8Array): JsonSource {
  const stored = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = stored.indexOf(fieldsKey);
  return (first === -1 ? undefined : parseCut(stored, first)) ?? parseJson(bytes);
}

/** Undefined when something in the object is not as it usually is. */
function parseCut(stored: Buffer, first: number): JsonSource | undefined {
  const pieces: Buffer[] = [];
  const shared: JsonObject[] = [];
  let end = 0;
  for (let found = first; found !== -1; found = stored.indexOf(fieldsKey, end)) {
    const start = found + fieldsKey.length - 1;
    // The number of the shared object stands in its place.
    pieces.push(stored.subarray(end, start), Buffer.from(String(shared.length)));
    end = skipValue(stored, start);
    const fields = sharedFieldsOf(stored.toString('utf8', start, end));
    if (fields === undefined) return undefined;
    shared.push(fields);
  }
  pieces.push(stored.subarray(end));
  const source = parseJson(Buffer.concat(pieces));
  if (!source.faithful || !putBack(source.value, shared)) return undefined;
  // Who asks for the text of a part has to see what is stored.
  return { ...source, tree: () => parseJson(stored).tree() };
}

/** False when there were such keys elsewhere than in managedFields. */
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
