import { hugeKeys, isHuge, noteHuge } from './huge-objects.ts';
import { type JsonObject, type JsonValue, setOwn } from './json.ts';
import type { Work } from './turns.ts';
import { keepNotes } from './written-notes.ts';

/** Members copied between two pauses. */
const membersPerPause = 500;

/** Collections in collections that are copied at once; what is deeper is copied later. */
const mostNested = 500;

/** A large or deep collection whose copy is filled after the rest. */
interface Later {
  readonly count: () => number;
  readonly copy: (place: number) => void;
}

/** A deep copy like `copyJson`, pausing in large lists and maps. */
export function* copyInTurns(object: Readonly<JsonObject>): Work<JsonObject> {
  const later: Later[] = [];
  const whole = copyObject(object, { later, level: 0 });
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

interface Copying {
  readonly later: Later[];
  level: number;
}

function copyValue(value: JsonValue, copying: Copying): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  copying.level++;
  const copy = Array.isArray(value) ? copyList(value, copying) : copyObject(value, copying);
  copying.level--;
  return copy;
}

function copyList(from: readonly JsonValue[], copying: Copying): JsonValue[] {
  if (from.length <= membersPerPause && copying.level < mostNested)
    return keepNotes(
      from,
      from.map((item) => copyValue(item, copying)),
    );
  const into: JsonValue[] = keepNotes(from, []);
  const { later } = copying;
  const copy = (place: number): void => {
    into.push(copyValue(from[place] as JsonValue, { later, level: 0 })); // within bounds
  };
  later.push({ count: () => from.length, copy });
  return into;
}

function copyObject(from: Readonly<JsonObject>, copying: Copying): JsonObject {
  const into: JsonObject = keepNotes(from, {});
  let keys: readonly string[] = [];
  if (!isHuge(from) && copying.level < mostNested) {
    keys = Object.keys(from);
    if (keys.length <= membersPerPause) {
      for (const key of keys) copyMember(key, { from, into }, copying);
      return into;
    }
  }
  const { later } = copying;
  const copy = (place: number): void => {
    const key = keys[place] as string; // within bounds
    copyMember(key, { from, into }, { later, level: 0 });
    if (place === hugeKeys) noteHuge(into, key);
  };
  const count = (): number => (keys.length === 0 ? (keys = Object.keys(from)) : keys).length;
  later.push({ count, copy });
  return into;
}

function copyMember(
  key: string,
  { from, into }: { readonly from: Readonly<JsonObject>; readonly into: JsonObject },
  copying: Copying,
): void {
  const value = from[key];
  if (value !== undefined) setOwn(into, key, copyValue(value, copying));
}
