import type { Work } from '../api/turns.ts';
import { decodeUtf8, isContinuation } from './decode-utf8.ts';

/** Strings of JSON that are read in parts: V8 copies 5 MB of text four times before it is a value. */
export const longTextBytes = 256 * 1024;
const partBytes = 128 * 1024;
const backslash = 0x5c;
const letterU = 0x75;
/** Of `\u00e9`. */
const longestEscape = 6;

/** The value of the JSON string from `start` to `end`, quotes included. Throws a SyntaxError. */
export function* readLongText(
  bytes: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
): Work<string> {
  let text = '';
  for (let at = start + 1; at < end - 1;) {
    const next = at + partBytes < end - 1 ? cutBefore(bytes, at + partBytes, at) : end - 1;
    text += JSON.parse(`"${decodeUtf8(bytes.subarray(at, next))}"`) as string;
    at = next;
    yield;
  }
  return text;
}

/** The last offset up to `at` that neither an escape nor a character spans; `from` is one too. */
function cutBefore(bytes: Uint8Array, at: number, from: number): number {
  for (let start = at - 1; start > at - longestEscape; start -= 1) {
    if (bytes[start] !== backslash) continue;
    const length = bytes[start + 1] === letterU ? longestEscape : 2;
    if (isEscaping(bytes, start, from) && start + length > at) return start;
    break;
  }
  // At most three bytes follow the first one of a character; a fourth is none of it.
  for (let back = 0; back <= 3; back += 1) if (!isContinuation(bytes[at - back])) return at - back;
  return at;
}

/** Whether a backslash begins an escape, rather than being escaped itself. */
function isEscaping(bytes: Uint8Array, at: number, from: number): boolean {
  let before = at;
  while (before > from && bytes[before - 1] === backslash) before -= 1;
  return (at - before) % 2 === 0;
}
