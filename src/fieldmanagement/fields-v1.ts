import { encodeRaw } from '../api/json-text.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { keepFieldsText } from '../api/shared-fields.ts';
import type { Work } from '../api/turns.ts';
import { emptySet, FieldSet } from './field-set.ts';
import { comparePathElements, FieldPathError, parsePathElement, type PathElement } from './path-element.ts';

/** Number of fields read or written between pauses. */
const betweenPauses = 32;

/** The result of reading a `fieldsV1`. */
export interface ReadFields {
  readonly set: FieldSet;
  /** Whether writing the set again yields the same JSON. */
  readonly isCanonical: boolean;
}

/** Reads the `fieldsV1` of an entry; throws a FieldPathError when it is malformed. */
export function* readFieldsV1(fields: JsonValue | undefined): Work<ReadFields> {
  const outer: OpenLevel[] = [];
  let level = openedLevel(fields ?? null, noKey);
  // No recursion: sets may be deep.
  for (let count = 1; ; count++) {
    if (count % betweenPauses === 0) yield;
    const key = level.keys[level.next++];
    const inner = key === undefined ? undefined : readKey(level, key);
    if (inner !== undefined) {
      outer.push(level);
      level = inner;
    } else if (key === undefined) {
      const read = closedLevel(level);
      const above = outer.pop();
      if (above === undefined) return { set: read.set, isCanonical: read.isCanonical };
      include(above, level.leadingKey, read);
      level = above;
    }
  }
}

interface Level extends ReadFields {
  /** Whether the path that leads here is itself a member. */
  readonly member: boolean;
}

const leaf: Level = { set: emptySet, member: true, isCanonical: true };
const oddLeaf: Level = { ...leaf, isCanonical: false };

/** A key, and what it means. */
interface ReadKey {
  readonly key: string;
  readonly element: PathElement;
}

const noKey: ReadKey = { key: '', element: '' };

/** A level that is being read, up to its key `next`. */
interface OpenLevel {
  readonly fields: Readonly<JsonObject>;
  readonly keys: readonly string[];
  readonly leadingKey: ReadKey;
  next: number;
  set: FieldSet | undefined;
  member: boolean;
  isCanonical: boolean;
  last: string;
}

function openedLevel(value: JsonValue, leadingKey: ReadKey): OpenLevel {
  const fields = value ?? {};
  if (!isJsonObject(fields)) throw new FieldPathError(`the fields are not an object: ${encodeRaw(fields)}`);
  const isCanonical = value !== null;
  return {
    fields,
    keys: Object.keys(fields),
    leadingKey,
    next: 0,
    set: undefined,
    member: false,
    isCanonical,
    last: '',
  };
}

/** Undefined if there is nothing to read below the key. */
function readKey(level: OpenLevel, key: string): OpenLevel | undefined {
  const inner = level.fields[key] ?? null;
  if (key === '.') {
    level.member = true;
    level.isCanonical &&= level.last === '' && isEmptyObject(inner);
    return undefined;
  }
  const element = parsePathElement(key);
  if (element === undefined) level.isCanonical = false;
  else if (isEmptyObject(inner)) include(level, { key, element }, leaf);
  else return openedLevel(inner, { key, element });
  return undefined;
}

function include(level: OpenLevel, { key, element }: ReadKey, below: Level): void {
  const { last } = level;
  level.isCanonical &&= below.isCanonical && element === key && (last === '' || comparePathElements(last, key) < 0);
  level.last = key;
  level.set ??= new FieldSet();
  if (below.member) level.set.insertMember(element);
  level.set.insertChildren(element, below.set);
}

function closedLevel({ set, member, isCanonical }: OpenLevel): Level {
  if (set === undefined) return member || !isCanonical ? oddLeaf : leaf;
  return { set, member, isCanonical };
}

function isEmptyObject(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value)) return false;
  for (const _ in value) return false;
  return true;
}

/**
 * Writes a set as `fieldsV1`, keys in order. The result must not be modified: sets that share subtrees share their
 * JSON.
 */
export function* writeFieldsV1(set: FieldSet): Work<JsonObject> {
  if (!set.isLarge) return set.written(false, writeLevel);
  const { fields, text } = yield* writeLarge(set);
  keepFieldsText(fields, text);
  return fields;
}

/** The value of leaf fields. */
const noFields: JsonObject = Object.freeze({});

function writeLevel(set: FieldSet, member: boolean): JsonObject {
  const fields: JsonObject = {};
  if (member) fields['.'] = noFields;
  for (const [element, node] of set.entries()) {
    // Path elements have a prefix, so none is __proto__.
    fields[element] = node.children === undefined ? noFields : node.children.written(node.member, writeLevel);
  }
  return fields;
}

interface Written {
  readonly fields: JsonObject;
  /** As JSON. */
  readonly text: string;
}

const writtenLeaf: Written = { fields: noFields, text: '{}' };

/** Nodes of sets within large ones that are written at once. */
const smallSize = 32;

/** A set of which the elements before `next` have been written. */
interface OpenSet {
  readonly set: FieldSet;
  readonly steps: readonly PathElement[];
  readonly fields: JsonObject;
  text: string;
  next: number;
}

/** Writes a large set with pauses, along with its JSON: stringifying it later would take longer. */
function* writeLarge(root: FieldSet): Work<Written> {
  const outer: OpenSet[] = [];
  let open = yield* openedSet(root, false);
  // No recursion: sets may be deep.
  for (let count = 1; ; count++) {
    if (count % betweenPauses === 0) yield;
    const element = open.steps[open.next++];
    if (element === undefined) {
      const written = { fields: open.fields, text: `${open.text}}` };
      const above = outer.pop();
      if (above === undefined) return written;
      open = above;
      add(open, open.steps[open.next - 1] ?? '', written);
      continue;
    }
    const children = open.set.childrenOf(element);
    if (children?.isLargerThan(smallSize) !== true) add(open, element, smallWritten(open.set, element));
    else {
      outer.push(open);
      open = yield* openedSet(children, open.set.hasMember(element));
    }
  }
}

function* openedSet(set: FieldSet, member: boolean): Work<OpenSet> {
  const open: OpenSet = { set, steps: yield* set.sortedSteps(), fields: {}, text: '{', next: 0 };
  if (member) add(open, '.', writtenLeaf);
  return open;
}

function add(open: OpenSet, element: string, inner: Written): void {
  open.fields[element] = inner.fields;
  open.text += `${open.text === '{' ? '' : ','}${encodeRaw(element)}:${inner.text}`;
}

function smallWritten(set: FieldSet, element: PathElement): Written {
  const fields = set.childrenOf(element)?.written(set.hasMember(element), writeLevel);
  return fields === undefined ? writtenLeaf : { fields, text: encodeRaw(fields) };
}
