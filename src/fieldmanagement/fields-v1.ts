import { bottomUp } from '../api/collections/bottom-up.ts';
import { encodeRaw } from '../api/json/json-text.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { emptySet, FieldSet } from './field-set.ts';
import { comparePathElements, FieldPathError, parsePathElement } from './path-element.ts';

/** The result of reading a `fieldsV1`. */
export interface ReadFields {
  readonly set: FieldSet;
  /** Whether writing the set again yields the same JSON. */
  readonly isCanonical: boolean;
}

/** Reads the `fieldsV1` of an entry; throws a FieldPathError when it is malformed. */
export function readFieldsV1(fields: JsonValue | undefined): ReadFields {
  return readLevel(fields ?? null);
}

interface Level extends ReadFields {
  /** Whether the path that leads here is itself a member. */
  readonly member: boolean;
}

const leaf: Level = { set: emptySet, member: true, isCanonical: true };

const readLevel = bottomUp((value: JsonValue): Level => {
  const fields = value ?? {};
  if (!isJsonObject(fields)) throw new FieldPathError(`the fields are not an object: ${encodeRaw(fields)}`);
  const set = new FieldSet();
  let member = false;
  let isCanonical = value !== null;
  let last = '';
  for (const key of Object.keys(fields)) {
    const inner = fields[key] ?? null;
    const element = key === '.' ? undefined : parsePathElement(key);
    if (key === '.') {
      member = true;
      isCanonical &&= last === '' && isEmptyObject(inner);
    } else if (element === undefined) isCanonical = false;
    else {
      const below = isEmptyObject(inner) ? leaf : readLevel(inner);
      isCanonical &&= below.isCanonical && element === key && (last === '' || comparePathElements(last, key) < 0);
      last = key;
      // The same element may be written in several ways.
      const children = below.set.isEmpty ? set.childrenOf(element) : below.set;
      set.put(element, below.member || set.hasMember(element), children);
    }
  }
  // What has nothing below is owned itself.
  return set.isEmpty ? { ...leaf, isCanonical: isCanonical && !member } : { set, member, isCanonical };
}, leaf);

function isEmptyObject(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/**
 * Writes a set as `fieldsV1`, keys in order. The result must not be modified: sets that share subtrees share their
 * JSON.
 */
export function writeFieldsV1(set: FieldSet): JsonObject {
  return writeLevel(set, false);
}

/** The value of leaf fields. */
const noFields: JsonObject = Object.freeze({});

/** `member`: whether the path that leads here is a member too. */
const writeLevel = bottomUp((set: FieldSet, member: boolean): JsonObject => {
  const known = set.jsonAs(member);
  if (known !== undefined) return known;
  const fields: JsonObject = {};
  if (member) fields['.'] = noFields;
  // What is too deep is still to be written.
  let isWhole = true;
  for (const [element, { member: isOwned, children }] of set.entries()) {
    // Path elements have a prefix, so none is __proto__.
    fields[element] = children === undefined ? noFields : writeLevel(children, isOwned);
    isWhole &&= children === undefined || children.jsonAs(isOwned) !== undefined;
  }
  if (isWhole) set.keepJson(member, fields);
  return fields;
}, noFields);
