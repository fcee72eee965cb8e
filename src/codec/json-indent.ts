import { type JsonWriter, written } from '../api/json/json-writer.ts';
import { skipString } from './string-end.ts';

const quote = 0x22;
const newline = 0x0a;
const space = 0x20;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const openBracket = 0x5b;
const closeBrace = 0x7d;
const closeBracket = 0x5d;

/**
 * Indents compact JSON by two spaces per level, as Go's MarshalIndent; empty objects and arrays stay on one line. A
 * fragment starts at `depth`.
 */
export function indentJson(json: Uint8Array, depth = 0): Buffer {
  return written((out) => writeIndented(out, json, depth));
}

function writeIndented(out: JsonWriter, json: Uint8Array, depth: number): void {
  let level = depth;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i] as number; // within bounds
    if (byte === quote) {
      const end = skipString(json, i);
      out.short(json.subarray(i, end));
      i = end - 1;
    } else if (byte === openBrace || byte === openBracket) {
      out.byte(byte);
      // In ASCII the closing bracket is the opening one plus 2.
      if (json[i + 1] === byte + 2) out.byte(json[++i] as number); // within bounds
      else breakLine(out, ++level);
    } else if (byte === closeBrace || byte === closeBracket) {
      breakLine(out, --level);
      out.byte(byte);
    } else {
      out.byte(byte);
      if (byte === comma) breakLine(out, level);
      else if (byte === colon) out.byte(space);
    }
  }
}

function breakLine(out: JsonWriter, level: number): void {
  out.byte(newline);
  for (let i = 0; i < level * 2; i++) out.byte(space);
}
