import { bottomUp } from '../api/collections/bottom-up.ts';
import { GoValue } from '../api/json/go-value.ts';
import { isJsonObject, type JsonValue } from '../api/json/json.ts';
import { itemElement, ListItemError } from './list-items.ts';
import {
  isScalarType,
  type ListType,
  type MapType,
  type MergeType,
  shapeOf,
  typeAt,
  type TypedValue,
} from './merge-type.ts';
import { fieldElement, formatPathElement, indexElement, type PathElement } from './path-element.ts';
import {
  addErrors,
  below,
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
  { allowDuplicates }: { readonly allowDuplicates: boolean },
): TypedValue {
  throwErrors(errorsIn(type, value, allowDuplicates));
  return { type, value };
}

const errorsIn = bottomUp(
  (type: MergeType, value: JsonValue | undefined, allowDuplicates: boolean): readonly ValueError[] => {
    const shape = shapeOf(type, value);
    if (shape === 'map' && type.map !== undefined) return errorsInMap(type.map, value, allowDuplicates);
    if (shape === 'scalar' && type.scalar !== undefined) return scalarErrors(type.scalar, value);
    if (shape === 'list' && type.list !== undefined) return errorsInList(type.list, value, allowDuplicates);
    return valueError('schema error: no type found matching: inlined type');
  },
  noErrors,
);

function errorsInMap(map: MapType, value: JsonValue | undefined, allowDuplicates: boolean): readonly ValueError[] {
  if (value === undefined) return valueError('expected map, got nil');
  if (value === null) return noErrors;
  if (!isJsonObject(value) || value instanceof GoValue) return valueError(`expected map, got ${pointerText(value)}`);
  const errors: ValueError[] = [];
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item === undefined) continue;
    const type = typeAt(map, key);
    if (type === undefined) {
      // Fields after the first unknown one are not validated.
      addErrors(errors, below(fieldElement(key), valueError('field not declared in schema')));
      break;
    }
    const found = isScalarType(type) ? scalarErrors(type.scalar, item) : errorsIn(type, item, allowDuplicates);
    if (found.length > 0) addErrors(errors, below(fieldElement(key), found));
  }
  return errors;
}

function errorsInList(list: ListType, value: JsonValue | undefined, allowDuplicates: boolean): readonly ValueError[] {
  if (value === null || value === undefined) return noErrors;
  if (!Array.isArray(value)) return valueError(`expected list, got ${pointerText(value)}`);
  const errors: ValueError[] = [];
  const seen = new Set<PathElement>();
  for (const [index, item] of value.entries()) {
    const element = list.associative ? elementOrProblem(list, item) : indexElement(index);
    if (typeof element !== 'string') {
      addErrors(errors, valueError(`element ${index}: ${element.message}`));
      break;
    }
    if (list.associative && !allowDuplicates) {
      if (seen.has(element)) addErrors(errors, valueError(`duplicate entries for key ${formatPathElement(element)}`));
      seen.add(element);
    }
    addErrors(errors, below(element, errorsIn(list.element, item, allowDuplicates)));
  }
  return errors;
}

function elementOrProblem(list: ListType, item: JsonValue): PathElement | ListItemError {
  try {
    return itemElement(list, item);
  } catch (error) {
    if (error instanceof ListItemError) return error;
    throw error;
  }
}
