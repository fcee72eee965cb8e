import type { JsonObject, JsonValue } from './json.ts';
import { encodeAny, encodeRaw, sortedKeys } from './json-text.ts';
import type { JsonWriter } from './json-writer.ts';

/** Writes a value as the JSON of its type. */
export type ValueWriter = (out: JsonWriter, value: JsonValue | undefined) => void;

const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Ends an object that began at `start`. Each field is preceded by a comma: the first one becomes the brace. */
export function closeObject(out: JsonWriter, start: number): void {
  if (out.length === start) out.byte(openBrace);
  else out.overwrite(start, openBrace);
  out.byte(closeBrace);
}

/** Writes a list. */
export function writeItems(out: JsonWriter, items: readonly JsonValue[], item: ValueWriter): void {
  out.byte(openBracket);
  for (let i = 0; i < items.length; i++) {
    if (i > 0) out.byte(comma);
    item(out, items[i]);
  }
  out.byte(closeBracket);
}

/** Writes a map, in the order of its keys' bytes. Undefined members do not count. */
export function writeMap(out: JsonWriter, map: Readonly<JsonObject>, item: ValueWriter): void {
  const start = out.length;
  for (const key of sortedKeys(map)) {
    const value = map[key];
    if (value === undefined) continue;
    out.byte(comma);
    out.string(key);
    out.byte(colon);
    item(out, value);
  }
  closeObject(out, start);
}

/** Writes what `encodeAny` returns. */
export function writeAny(out: JsonWriter, value: JsonValue | undefined): void {
  if (typeof value === 'string') out.string(value);
  else out.text(encodeAny(value));
}

/** Writes what `encodeRaw` returns. */
export function writeRaw(out: JsonWriter, value: JsonValue | undefined): void {
  out.text(encodeRaw(value));
}
