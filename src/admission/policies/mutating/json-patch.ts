import { isJsonObject, type JsonObject, type JsonValue } from '../../../api/json/json.ts';
import { StatusError } from '../../../api/errors/status.ts';
import { isList, itemsOf } from '../../../cel/values/collections.ts';
import { ConstructedObject, ConstructedPatch } from '../../../cel/values/constructed.ts';
import { toJson, ValueJsonError } from '../../../cel/values/to-json.ts';
import type { Value } from '../../../cel/values/value.ts';
import { applyOperations, FailedTestError, type PatchOperation } from '../../../patch/json-patch.ts';
import { PatchedDocument } from '../../../patch/patched-document.ts';
import type { InputTypes } from './input-types.ts';
import { MutationError } from './mutation-error.ts';
import { checkTypeNames } from './type-names.ts';

/**
 * The object after the operations of an expression of type `list(JSONPatch)`; undefined if a test among
 * them fails, which makes no change. Throws a MutationError.
 */
export function patchedBy(object: Readonly<JsonObject>, value: Value, types: InputTypes): JsonObject | undefined {
  if (!isList(value)) throw new Error('the compiler has checked the type of the result');
  const operations = [...itemsOf(value)].map((each) => operationOf(each, types));
  const document = new PatchedDocument(object);
  try {
    applyOperations(document, operations);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (error.cause instanceof FailedTestError) return undefined;
    const { message } = error.cause instanceof Error ? error.cause : error;
    throw new MutationError(`JSON Patch: ${message}`);
  }
  return isJsonObject(document.root) ? document.root : {};
}

function operationOf(value: Value, types: InputTypes): PatchOperation {
  if (!(value instanceof ConstructedPatch)) throw new Error('the compiler has checked the type of the result');
  const { fields } = value;
  const text = (name: string): string => {
    const given = fields.get(name) ?? '';
    return typeof given === 'string' ? given : '';
  };
  const from = text('from');
  const given = fields.get('value');
  return {
    op: text('op'),
    path: text('path'),
    ...(from === '' ? {} : { from }),
    ...(given === undefined ? {} : { value: jsonOf(given, types) }),
  };
}

function jsonOf(value: Value, types: InputTypes): JsonValue {
  if (value instanceof ConstructedObject) checkTypeNames(value);
  try {
    return withoutUnsafe(toJson(value, types));
  } catch (error) {
    if (!(error instanceof ValueJsonError)) throw error;
    const what = 'JSONPath valueExpression evaluated to a type that could not marshal to JSON';
    throw new MutationError(`${what}: ${error.message}`);
  }
}

/** Integers beyond the precision of a double become text here. */
function withoutUnsafe(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(withoutUnsafe);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutUnsafe(member)]));
}
