import { formatApiVersion, formatGroupVersionKind } from '../../../api/meta/group-version.ts';
import { goPrint } from '../../../api/json/go-print.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../../api/json/json.ts';
import { plainError } from '../../../api/errors/status-errors.ts';
import { ConstructedObject } from '../../../cel/values/constructed.ts';
import type { Value } from '../../../cel/values/value.ts';
import { mergeTyped } from '../../../fieldmanagement/merge.ts';
import { type MergeType, shapeOf, type TypedValue } from '../../../fieldmanagement/merge-type.ts';
import { fieldElement, formatPath, indexElement, type PathElement } from '../../../fieldmanagement/path-element.ts';
import { mergeTypeOf } from '../../../fieldmanagement/schema-type.ts';
import { typedValue } from '../../../fieldmanagement/validate.ts';
import { TypedValueError } from '../../../fieldmanagement/value-errors.ts';
import { configurationOf } from './configuration.ts';
import type { InputTypes } from './input-types.ts';
import type { MutatedObject } from './mutated-object.ts';
import { MutationError } from './mutation-error.ts';
import { checkTypeNames } from './type-names.ts';

/**
 * Merges the result of an expression, of type `Object`, into the object. Throws a MutationError, or the StatusError for
 * a number that JSON does not have.
 */
export function appliedTo(mutated: MutatedObject, value: Value, types: InputTypes): JsonObject {
  if (!(value instanceof ConstructedObject)) throw new Error('the compiler has checked the type of the result');
  checkTypeNames(value);
  const configuration = configurationOf(value, types);
  const { kind } = mutated;
  setOwn(configuration, 'apiVersion', formatApiVersion(kind.group, kind.version));
  setOwn(configuration, 'kind', kind.kind);
  try {
    const merged = merging(mutated, configuration);
    checkNumbers(configuration);
    return isJsonObject(merged) ? merged : {};
  } catch (error) {
    if (!(error instanceof MutationError)) throw error;
    throw new MutationError(`error applying patch: ${error.message}`);
  }
}

function merging({ kind, mergeSchema, object }: MutatedObject, configuration: JsonObject): JsonValue | undefined {
  if (mergeSchema === undefined) {
    throw new MutationError(
      `failed to convert patch object to typed object: no corresponding type for ${formatGroupVersionKind(kind)}`,
    );
  }
  const type = mergeTypeOf(mergeSchema);
  const applied = attempt('convert patch object to typed object', () =>
    typedValue(type, configuration, { allowDuplicates: false }),
  );
  const atomics = [...atomicsIn(applied.type, applied.value, [])];
  if (atomics.length > 0) {
    const why = `may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`;
    throw new MutationError(`invalid ApplyConfiguration: ${why}`);
  }
  const live = attempt('convert original object to typed object', () =>
    typedValue(type, object, { allowDuplicates: true }),
  );
  return attempt('merge patch', () => mergeTyped(live, applied)).value;
}

/** NaN and the infinities are numbers until they are written. */
function checkNumbers(value: JsonValue): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw plainError(`json: unsupported value: ${goPrint(value)}`);
  }
  if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) checkNumbers(member);
}

function attempt(what: string, make: () => TypedValue): TypedValue {
  try {
    return make();
  } catch (error) {
    throw error instanceof TypedValueError ? new MutationError(`failed to ${what}: ${error.message}`) : error;
  }
}

/** Paths of atomic lists, maps and structs, whose replacement is rarely intended. */
function* atomicsIn(
  type: MergeType,
  value: JsonValue | undefined,
  path: readonly PathElement[],
): Generator<string, void> {
  const shape = shapeOf(type, value);
  if (shape === 'map' && type.map !== undefined && isJsonObject(value)) {
    if (type.map.atomic) yield formatPath(path);
    for (const [name, member] of Object.entries(value)) {
      const field = type.map.fieldOf(name);
      if (field !== undefined) yield* atomicsIn(field.type, member, [...path, fieldElement(name)]);
    }
  } else if (shape === 'list' && type.list !== undefined && Array.isArray(value)) {
    if (!type.list.associative) yield formatPath(path);
    for (const [index, item] of value.entries()) {
      yield* atomicsIn(type.list.element, item, [...path, indexElement(index)]);
    }
  }
}
