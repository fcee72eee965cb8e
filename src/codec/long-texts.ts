import type { JsonValue } from '../api/json.ts';
import { rawTextOf } from '../api/json-raw.ts';
import { encodeRaw } from '../api/json-text.ts';
import type { Work } from '../api/turns.ts';

/** Characters encoded between two pauses; shorter texts are not cut. */
const pieceLength = 16 * 1024;

/** Whether any text in the value, keys excluded, is longer than what may be encoded at once. */
export function hasLongText(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value.length > pieceLength;
  if (typeof value !== 'object' || value === null) return false;
  return (Array.isArray(value) ? value : Object.values(value)).some(hasLongText);
}

/** The JSON that `encodeRaw` returns, as bytes, with pauses inside and between its long texts. */
export function* encodeLongTexts(value: JsonValue): Work<Uint8Array> {
  const pieces: Uint8Array[] = [];
  yield* addPieces(pieces, value);
  const json = Buffer.concat(pieces);
  yield;
  return json;
}

function* addPieces(pieces: Uint8Array[], value: JsonValue): Work<void> {
  const add = (json: string): number => pieces.push(Buffer.from(json));
  if (!hasLongText(value)) add(encodeRaw(value));
  else if (typeof value === 'string') yield* addText(pieces, value);
  else if (typeof value !== 'object' || value === null || rawTextOf(value) !== undefined) add(encodeRaw(value));
  else {
    const isList = Array.isArray(value);
    let separator = isList ? '[' : '{';
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue;
      add(isList ? separator : `${separator}${encodeRaw(key)}:`);
      separator = ',';
      yield* addPieces(pieces, member);
    }
    add(isList ? ']' : '}');
  }
}

/** Surrogate pairs are not cut. */
function* addText(pieces: Uint8Array[], text: string): Work<void> {
  pieces.push(quote);
  for (let start = 0; start < text.length;) {
    const last = text.charCodeAt(start + pieceLength - 1);
    const end = start + pieceLength - ((last & 0xfc00) === 0xd800 ? 1 : 0);
    pieces.push(Buffer.from(encodeRaw(text.slice(start, end)).slice(1, -1)));
    start = end;
    yield;
  }
  pieces.push(quote);
}

const quote = Buffer.from('"');
