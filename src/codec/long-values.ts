import type { JsonValue } from '../api/json.ts';
import { rawTextOf } from '../api/json-raw.ts';
import { encodeRaw } from '../api/json-text.ts';
import type { Work } from '../api/turns.ts';

/** Characters encoded between two pauses; shorter texts are not cut. */
const pieceLength = 16 * 1024;
/** Items encoded between two pauses; shorter lists are not divided unless an item is long. */
const pieceItems = 100;

/** Whether any text, keys excluded, or list in the value is longer than what may be encoded at once. */
export function isLong(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value.length > pieceLength;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length > pieceItems || value.some(isLong);
  return Object.values(value).some(isLong);
}

/** The JSON that `encodeRaw` returns, as bytes, with pauses inside and between its long texts and lists. */
export function* encodeLong(value: JsonValue): Work<Uint8Array> {
  const pieces: Uint8Array[] = [];
  yield* addPieces(pieces, value);
  const json = Buffer.concat(pieces);
  yield;
  return json;
}

function* addPieces(pieces: Uint8Array[], value: JsonValue): Work<void> {
  const add = (json: string): number => pieces.push(Buffer.from(json));
  if (!isLong(value)) add(encodeRaw(value));
  else if (typeof value === 'string') yield* addText(pieces, value);
  else if (Array.isArray(value)) yield* addItems(pieces, value);
  else if (typeof value !== 'object' || value === null || rawTextOf(value) !== undefined) add(encodeRaw(value));
  else {
    let separator = '{';
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue;
      add(`${separator}${encodeRaw(key)}:`);
      separator = ',';
      yield* addPieces(pieces, member);
    }
    add('}');
  }
}

function* addItems(pieces: Uint8Array[], items: readonly JsonValue[]): Work<void> {
  let separator = '[';
  for (let start = 0; start < items.length; start += pieceItems) {
    const group = items.slice(start, start + pieceItems);
    if (!group.some(isLong)) {
      pieces.push(Buffer.from(`${separator}${encodeRaw(group).slice(1, -1)}`));
      separator = ',';
      yield;
      continue;
    }
    for (const item of group) {
      pieces.push(Buffer.from(separator));
      separator = ',';
      yield* addPieces(pieces, item);
    }
  }
  pieces.push(Buffer.from(']'));
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
