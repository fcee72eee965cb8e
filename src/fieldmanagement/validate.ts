import { GoValue } from '../api/go-value.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { finish, type Work } from '../api/turns.ts';
import { Visits } from '../api/visits.ts';
import { itemElement, ListItemError } from './list-items.ts';
import { type ListType, type MapType, type MergeType, shapeOf, typeAt, type TypedValue } from './merge-type.ts';
import { fieldElement, formatPathElement, indexElement, type PathElement } from './path-element.ts';
import {
  addErrors,
  below,
  laterErrors,
  noErrors,
  pointerText,
  scalarErrors,
  throwErrors,
  type ValueError,
  valueError,
} from './value-errors.ts';

/**
 * Types a value; throws a TypedValueError when it does not fit. Updates may have duplicate list items, applied
 * configurations may not.
 */
export function typedValue(
  type: MergeType,
  value: JsonValue | undefined,
  options: { readonly allowDuplicates: boolean },
): TypedValue {
  return finish(typedInTurns(type, value, options));
}

/** The same with pauses. */
export function* typedInTurns(
  type: MergeType,
  value: JsonValue | undefined,
  { allowDuplicates }: { readonly allowDuplicates: boolean },
): Work<TypedValue> {
  const visits = new Visits();
  const errors = validate(type, value, { allowDuplicates, visits });
  yield* visits.rest();
  throwErrors(errors);
  return { type, value };
}

interface Validation {
  readonly allowDuplicates: boolean;
  readonly visits: Visits;
}

function validate(type: MergeType, value: JsonValue | undefined, validation: Validation): readonly ValueError[] {
  const shape = shapeOf(type, value);
  if (shape === 'map' && type.map !== undefined) return validateMap(type.map, value, validation);
  if (shape === 'scalar' && type.scalar !== undefined) return scalarErrors(type.scalar, value);
  if (shape === 'list' && type.list !== undefined) return validateList(type.list, value, validation);
  return valueError('schema error: no type found matching: inlined type');
}

function validateMap(map: MapType, value: JsonValue | undefined, validation: Validation): readonly ValueError[] {
  if (value === undefined) return valueError('expected map, got nil');
  if (value === null) return noErrors;
  if (!isJsonObject(value) || value instanceof GoValue) return valueError(`expected map, got ${pointerText(value)}`);
  const errors: ValueError[] = [];
  const { visits } = validation;
  const fields: Readonly<JsonObject> = value;
  const keys = Object.keys(fields);
  const take = (key: string): boolean => {
    const found = fieldErrors(map, key, fields[key], validation);
    if (found.length === 0) return true;
    addErrors(errors, found);
    // Fields after the first unknown one are not validated.
    return typeAt(map, key) !== undefined;
  };
  if (visits.isMuch(keys.length)) {
    visits.later(keys, take);
    return laterErrors(errors);
  }
  for (const key of keys) if (!take(key)) break;
  return errors;
}

function fieldErrors(
  map: MapType,
  key: string,
  value: JsonValue | undefined,
  validation: Validation,
): readonly ValueError[] {
  if (value === undefined) return noErrors;
  const type = typeAt(map, key);
  const found = type === undefined ? valueError('field not declared in schema') : validate(type, value, validation);
  return found.length === 0 ? noErrors : below(fieldElement(key), found);
}

function validateList(list: ListType, value: JsonValue | undefined, validation: Validation): readonly ValueError[] {
  if (value === null || value === undefined) return noErrors;
  if (!Array.isArray(value)) return valueError(`expected list, got ${pointerText(value)}`);
  const errors: ValueError[] = [];
  const seen = new Set<PathElement>();
  const isDone = validation.visits.all<JsonValue>(value, (item, index) => {
    let element = indexElement(index);
    if (list.associative) {
      try {
        element = itemElement(list, item);
      } catch (error) {
        if (!(error instanceof ListItemError)) throw error;
        addErrors(errors, valueError(`element ${index}: ${error.message}`));
        return false;
      }
      if (!validation.allowDuplicates) {
        if (seen.has(element)) {
          addErrors(errors, valueError(`duplicate entries for key ${formatPathElement(element)}`));
        }
        seen.add(element);
      }
    }
    addErrors(errors, below(element, validate(list.element, item, validation)));
    return true;
  });
  return isDone ? errors : laterErrors(errors);
}
