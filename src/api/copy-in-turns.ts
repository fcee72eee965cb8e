import { hugeKeys, isHuge, noteHuge } from './huge-objects.ts';
import { type JsonObject, type JsonValue, setOwn } from './json.ts';
import type { Work } from './turns.ts';
import { keepNotes } from './written-notes.ts';

/** Members copied between two pauses. */
const membersPerPause = 500;

/** A large collection whose copy is filled after the rest. */
interface Later {
  readonly count: () => number;
  readonly copy: (place: number) => void;
}

/** A deep copy like `copyJson`, pausing in large lists and maps. */
export function* copyInTurns(object: Readonly<JsonObject>): Work<JsonObject> {
  const later: Later[] = [];
  const whole = copyObject(object, later);
  for (const { count, copy } of later) {
    yield;
    const members = count();
    for (let place = 0; place < members; place++) {
      if (place % membersPerPause === 0) yield;
      copy(place);
    }
  }
  return whole;
}

function copyValue(value: JsonValue, later: Later[]): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? copyList(value, later) : copyObject(value, later);
}

function copyList(from: readonly JsonValue[], later: Later[]): JsonValue[] {
  if (from.length <= membersPerPause)
    return keepNotes(
      from,
      from.map((item) => copyValue(item, later)),
    );
  const into: JsonValue[] = keepNotes(from, []);
  later.push({ count: () => from.length, copy: (place) => into.push(copyValue(from[place] as JsonValue, later)) }); // within bounds
  return into;
}

function copyObject(from: Readonly<JsonObject>, later: Later[]): JsonObject {
  const into: JsonObject = keepNotes(from, {});
  let keys: readonly string[] = [];
  if (!isHuge(from)) {
    keys = Object.keys(from);
    if (keys.length <= membersPerPause) {
      for (const key of keys) copyMember(key, { from, into }, later);
      return into;
    }
  }
  const copy = (place: number): void => {
    const key = keys[place] as string; // within bounds
    copyMember(key, { from, into }, later);
    if (place === hugeKeys) noteHuge(into, key);
  };
  const count = (): number => (keys.length === 0 ? (keys = Object.keys(from)) : keys).length;
  later.push({ count, copy });
  return into;
}

function copyMember(
  key: string,
  { from, into }: { readonly from: Readonly<JsonObject>; readonly into: JsonObject },
  later: Later[],
): void {
  const value = from[key];
  if (value !== undefined) setOwn(into, key, copyValue(value, later));
}
