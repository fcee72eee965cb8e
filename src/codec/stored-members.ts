import type { JsonObject, JsonValue } from '../api/json/json.ts';
import { parseOwnJson } from './json.ts';
import { skipValue } from './stored-object.ts';
import { skipString } from './string-end.ts';

const quote = 0x22;
const comma = 0x2c;
const openBrace = 0x7b;

/** A member of an object; if it is an object itself, of that the members named. */
export interface WantedMember {
  readonly name: string;
  /** Absent: the whole value. */
  readonly members?: readonly WantedMember[];
}

/** The members at paths such as `spec.nodeName` or `type`; the first two names of longer paths count. */
export function wantedMembers(paths: readonly string[]): readonly WantedMember[] {
  const split = paths.map((path) => path.split('.'));
  const names = new Set(split.map(([name = '']) => name));
  return [...names].map((name) => {
    const inner = split.filter(([first]) => first === name).map(([, second]) => second);
    const isWhole = inner.includes(undefined);
    return isWhole ? { name } : { name, members: [...new Set(inner)].map((second = '') => ({ name: second })) };
  });
}

/** A stored object with the wanted members alone. What is skipped is not parsed. */
export function storedMembers(bytes: Uint8Array, wanted: readonly WantedMember[]): JsonObject {
  const found: JsonObject = {};
  readMembers(bytes, 1, wanted, found);
  return found;
}

/** Returns the offset after the object whose first member is at `first`. */
function readMembers(bytes: Uint8Array, first: number, wanted: readonly WantedMember[], into: JsonObject): number {
  let left = wanted.length;
  let at = first;
  while (bytes[at] === quote) {
    const value = skipString(bytes, at) + 1;
    const member = left > 0 ? memberAt(bytes, at, wanted) : undefined;
    if (member !== undefined) left -= 1;
    let next: number;
    if (member?.members !== undefined && bytes[value] === openBrace) {
      const inner: JsonObject = {};
      next = readMembers(bytes, value + 1, member.members, inner);
      into[member.name] = inner;
    } else {
      next = skipValue(bytes, value);
      if (member !== undefined) into[member.name] = parsed(bytes.subarray(value, next));
    }
    at = next;
    if (bytes[next] !== comma) break;
    at += 1;
  }
  return at + 1;
}

function memberAt(bytes: Uint8Array, start: number, wanted: readonly WantedMember[]): WantedMember | undefined {
  for (const member of wanted) if (isNameAt(bytes, start, member.name)) return member;
  return undefined;
}

/** Whether the string that starts at `start` is `name`, which needs no escapes. */
function isNameAt(bytes: Uint8Array, start: number, name: string): boolean {
  if (bytes[start + 1 + name.length] !== quote) return false;
  for (let index = 0; index < name.length; index += 1) {
    if (bytes[start + 1 + index] !== name.charCodeAt(index)) return false;
  }
  return true;
}

/** Integers that a double cannot hold are exact. */
function parsed(bytes: Uint8Array): JsonValue {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  if (bytes[0] === quote && !text.includes('\\')) return text.slice(1, -1);
  return /\d{16}/.test(text) ? parseOwnJson(bytes).value : (JSON.parse(text) as JsonValue);
}
