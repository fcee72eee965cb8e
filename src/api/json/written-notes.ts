/*
 * What plain data cannot say about a member, noted beside it until the object is stored:
 *
 * | note | written | in memory |
 * |---|---|---|
 * | float | `1.0`, `1e3` | a number like any whole one |
 * | list, map, bytes | `[]`, `{}`, `""` | absent, like null or what was never written |
 *
 * Go tells both apart: the one by its type, the other because an empty slice or map is not nil. Go writes both alike,
 * so neither is stored.
 */
const noted = new WeakMap<object, Map<string | number, Note>>();
/** Rarely true: then nothing has to be looked up. */
let someAreNoted = false;

type Note = 'float' | EmptyForm;
type EmptyForm = 'list' | 'map' | 'bytes';

function note(container: object, key: string | number, what: Note): void {
  someAreNoted = true;
  const notes = noted.get(container);
  if (notes === undefined) noted.set(container, new Map([[key, what]]));
  else notes.set(key, what);
}

/** Notes that a member of an object, or an item of a list, is a float. */
export function noteFloat(container: object, key: string | number): void {
  note(container, key, 'float');
}

/** Whether a member with a whole value is a float. */
export function isNotedFloat(container: object, key: string | number): boolean {
  return someAreNoted && noted.get(container)?.get(key) === 'float';
}

export function hasNotedFloats(container: object): boolean {
  const notes = someAreNoted ? noted.get(container) : undefined;
  return notes !== undefined && [...notes.values()].includes('float');
}

/** Notes that an absent member was written as an empty list, map or text of bytes. */
export function noteEmpty(container: object, key: string, form: EmptyForm): void {
  note(container, key, form);
}

export function hasNotedEmpties(container: object): boolean {
  return someAreNoted && noted.has(container);
}

/** Whether anything is noted of a value or of what it contains. */
export function hasNotesWithin(value: unknown): boolean {
  if (!someAreNoted) return false;
  const waiting = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (noted.has(next)) return true;
    for (const item of Object.values(next)) if (typeof item === 'object') waiting.push(item);
  }
  return false;
}

/** Structs without a value of their own, kept for what is noted of their members. */
const zeroStructs = new WeakSet<object>();

export function noteZeroStruct(struct: object): void {
  zeroStructs.add(struct);
}

/** Whether a struct means absence, although what was written in it is noted. */
export function isZeroStruct(struct: object): boolean {
  return someAreNoted && zeroStructs.has(struct);
}

const empties = { list: [], map: {}, bytes: '' } as const;

/** The empty list, map or text that an absent member was written as. */
export function writtenEmpty(
  container: object,
  key: string,
): readonly [] | { readonly [key: string]: never } | '' | undefined {
  const what = someAreNoted ? noted.get(container)?.get(key) : undefined;
  return what === undefined || what === 'float' || Object.hasOwn(container, key) ? undefined : empties[what];
}

/** Gives a container the member of another one, or its absence and how that was written. */
export function takeMember<T extends object>(to: T, from: T, key: keyof T & string): void {
  if (Object.hasOwn(from, key)) to[key] = from[key];
  else delete to[key];
  if (!someAreNoted) return;
  const what = noted.get(from)?.get(key);
  if (what === undefined) noted.get(to)?.delete(key);
  else note(to, key, what);
}

/** The copy of a container with the same keys, with its notes and no others. */
export function keepNotes<T extends object>(from: object, copy: T): T {
  if (!someAreNoted) return copy;
  const notes = noted.get(from);
  if (zeroStructs.has(from)) zeroStructs.add(copy);
  if (notes === undefined) noted.delete(copy);
  else noted.set(copy, new Map(notes));
  return copy;
}
