import { encodeRaw } from '../api/json-text.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { keepFieldsText } from '../api/shared-fields.ts';
import type { Work } from '../api/turns.ts';
import { emptySet, FieldSet } from './field-set.ts';
import { comparePathElements, FieldPathError, parsePathElement } from './path-element.ts';

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
  const { set, isCanonical } = yield* readLevel(fields ?? null);
  return { set, isCanonical };
}

interface Level extends ReadFields {
  /** Whether the path that leads here is itself a member. */
  readonly member: boolean;
}

const leaf: Level = { set: emptySet, member: true, isCanonical: true };
const oddLeaf: Level = { ...leaf, isCanonical: false };

function* readLevel(fields: JsonValue): Work<Level> {
  if (fields === null) return oddLeaf;
  if (!isJsonObject(fields)) throw new FieldPathError(`the fields are not an object: ${encodeRaw(fields)}`);
  let set: FieldSet | undefined;
  let member = false;
  let isCanonical = true;
  let last = '';
  let count = 0;
  for (const key in fields) {
    if ((count += 1) % betweenPauses === 0) yield;
    if (key === '.') {
      member = true;
      isCanonical &&= last === '' && isEmptyObject(fields[key]);
      continue;
    }
    const element = parsePathElement(key);
    if (element === undefined) {
      isCanonical = false;
      continue;
    }
    const inner = fields[key] ?? null;
    const below = isEmptyObject(inner) ? leaf : yield* readLevel(inner);
    isCanonical &&= below.isCanonical && element === key && (last === '' || comparePathElements(last, key) < 0);
    last = key;
    set ??= new FieldSet();
    if (below.member) set.insertMember(element);
    set.insertChildren(element, below.set);
  }
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
  const { fields, text } = yield* writeLarge(set, false);
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

/** Writes a large set with pauses, along with its JSON: stringifying it later would take longer. */
function* writeLarge(set: FieldSet, member: boolean): Work<Written> {
  const fields: JsonObject = {};
  let text = '{';
  let count = 0;
  const add = (element: string, inner: Written): void => {
    fields[element] = inner.fields;
    text += `${text === '{' ? '' : ','}${encodeRaw(element)}:${inner.text}`;
  };
  if (member) add('.', writtenLeaf);
  for (const element of yield* set.sortedSteps()) {
    if ((count += 1) % betweenPauses === 0) yield;
    const children = set.childrenOf(element);
    if (children === undefined) add(element, writtenLeaf);
    else if (children.isLarge) add(element, yield* writeLarge(children, set.hasMember(element)));
    else {
      const small = children.written(set.hasMember(element), writeLevel);
      add(element, { fields: small, text: encodeRaw(small) });
    }
  }
  return { fields, text: `${text}}` };
}
