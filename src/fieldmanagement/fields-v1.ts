import { encodeRaw } from '../api/json-text.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { emptySet, FieldSet } from './field-set.ts';
import { comparePathElements, FieldPathError, parsePathElement } from './path-element.ts';

/** A set as it was read. */
export interface ReadFields {
  readonly set: FieldSet;
  /** Written again it would be the same. */
  readonly isCanonical: boolean;
}

/** Reads the `fieldsV1` of an entry; throws a FieldPathError when it is none. */
export function readFieldsV1(fields: JsonValue | undefined): ReadFields {
  const { set, isCanonical } = readLevel(fields ?? null);
  return { set, isCanonical };
}

interface Level extends ReadFields {
  /** The path that leads here is itself in the set. */
  readonly member: boolean;
}

const leaf: Level = { set: emptySet, member: true, isCanonical: true };
const oddLeaf: Level = { ...leaf, isCanonical: false };

function readLevel(fields: JsonValue): Level {
  if (fields === null) return oddLeaf;
  if (!isJsonObject(fields)) throw new FieldPathError(`no object among the fields: ${encodeRaw(fields)}`);
  let set: FieldSet | undefined;
  let member = false;
  let isCanonical = true;
  let last = '';
  for (const key in fields) {
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
    const below = readLevel(fields[key] ?? null);
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
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** Writes a set as `fieldsV1`, keys in order. Nobody may change the result: what sets have in common, their fields have too. */
export function writeFieldsV1(set: FieldSet): JsonObject {
  return set.written(false, writeLevel);
}

/** Of fields that nothing is below. */
const noFields: JsonObject = Object.freeze({});

function writeLevel(set: FieldSet, member: boolean): JsonObject {
  const fields: JsonObject = {};
  if (member) fields['.'] = noFields;
  for (const [element, node] of set.entries()) {
    // Steps have a prefix, so none is __proto__.
    fields[element] = node.children === undefined ? noFields : node.children.written(node.member, writeLevel);
  }
  return fields;
}
