import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json.ts';
import { FieldSet } from './field-set.ts';
import { FieldPathError, parsePathElement } from './path-element.ts';

/** Reads the `fieldsV1` of an entry; throws a FieldPathError when it is none. */
export function readFieldsV1(fields: JsonValue | undefined): FieldSet {
  return readLevel(fields ?? null).set;
}

interface Level {
  readonly set: FieldSet;
  /** The path that leads here is itself in the set. */
  readonly member: boolean;
}

const emptySet = new FieldSet();
const leaf: Level = { set: emptySet, member: true };

function readLevel(fields: JsonValue): Level {
  if (fields === null) return leaf;
  if (!isJsonObject(fields)) throw new FieldPathError(`no object among the fields: ${JSON.stringify(fields)}`);
  let set: FieldSet | undefined;
  let member = false;
  for (const key in fields) {
    if (key === '.') {
      member = true;
      continue;
    }
    const element = parsePathElement(key);
    if (element === undefined) continue;
    const below = readLevel(fields[key] ?? null);
    set ??= new FieldSet();
    if (below.member) set.insertMember(element);
    set.insertChildren(element, below.set);
  }
  return set === undefined ? leaf : { set, member };
}

/** Writes a set as `fieldsV1`, keys in order. */
export function writeFieldsV1(set: FieldSet): JsonObject {
  return writeLevel(set, false);
}

function writeLevel(set: FieldSet, member: boolean): JsonObject {
  const fields: JsonObject = {};
  if (member) fields['.'] = {};
  for (const [element, node] of set.entries()) {
    setOwn(fields, element, node.children === undefined ? {} : writeLevel(node.children, node.member));
  }
  return fields;
}
